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

test('Are the types wrong? Not for any way of resolving modules', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(bytes))
  assert.ok(analysis.types)
  assert.equal(
    analysis.problems.filter(({ kind }) => !MEANT.includes(kind)),
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
