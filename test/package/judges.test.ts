import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pack } from './project.js'

const { tarball } = await pack()
const bytes = new Uint8Array(readFileSync(tarball))

/**
 * It is an ES module on purpose. CommonJS may require one since Node 20.19, the oldest that the package is for, and
 * TypeScript knows that under `nodenext`; this judge knows the rule of before only. `use.test.ts` compiles and runs both.
 */
const MEANT: readonly Problem['kind'][] = ['CJSResolvesToESM']

/** The way of Node 10, which knows no `exports`, finds the main door only. */
const isOfNode10 = (problem: Problem): boolean =>
  problem.kind === 'NoResolution' && problem.resolutionKind === 'node10' && problem.entrypoint !== '.'

test('Are the types wrong? Not for any way of resolving modules', async () => {
  // A style sheet has no types.
  const options = { excludeEntrypoints: ['./styles.css'] }
  const analysis = await checkPackage(createPackageFromTarballData(bytes), options)
  assert.ok(analysis.types)
  assert.equal(
    analysis.problems.filter((problem) => !MEANT.includes(problem.kind) && !isOfNode10(problem)),
    [],
  )
  for (const name of ['.', './client', './eleventy']) {
    const found = Object.values(analysis.entrypoints[name]?.resolutions ?? {})
    assert.is(found.filter(({ resolution }) => resolution?.isTypeScript).length, name === '.' ? 4 : 3)
  }
})

test('publint has no errors, warnings or suggestions', async () => {
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer },
    level: 'suggestion',
    strict: true,
  })
  assert.is(pkg['name'], 'menuscript')
  assert.equal(messages, [])
})

test.run()
