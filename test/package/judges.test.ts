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

/** The script of menus is for browsers: nothing that ignores `exports`, as Node did before version 12, loads it. */
function isForBundlers(problem: Problem): boolean {
  if (problem.kind !== 'NoResolution') return false
  return problem.entrypoint === './disclosure.js' && problem.resolutionKind === 'node10'
}

test('Are the types wrong? Not for any way of resolving modules', async () => {
  // A style sheet has no types.
  const options = { excludeEntrypoints: ['./styles.css'] }
  const analysis = await checkPackage(createPackageFromTarballData(bytes), options)
  assert.ok(analysis.types)
  assert.equal(
    analysis.problems.filter((problem) => !MEANT.includes(problem.kind) && !isForBundlers(problem)),
    [],
  )
  const [main] = Object.entries(analysis.entrypoints)
    .filter(([name]) => name === '.')
    .map(([, { resolutions }]) => Object.values(resolutions))
  assert.is(main?.length, 4)
  for (const { resolution } of main ?? []) assert.ok(resolution?.isTypeScript)
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
