import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type FileVersions, versionsOf } from '../../../src/review/history/versions.js'
import { readBlobs } from '../../../src/store/git/objects.js'
import { contentHash } from '../../../src/store/hash.js'
import { opened } from '../../store/git/committing.js'
import { DEFAULT_LIMITS } from '../../support/limits.js'
import { createRepository, inRepository, type TestRepository } from '../../support/repository.js'

const textOf = (label: string): string =>
  `version: 1\ncode: main\nname: Main\nitems:\n  - { id: a, label: ${label}, url: /a }\n`

async function versionsIn({ dir }: TestRepository, path: string, limit = 100): Promise<FileVersions> {
  const options = { limits: { ...DEFAULT_LIMITS, bytes: 500 }, locales: ['en'], limit }
  return versionsOf(await opened(dir), 'HEAD', path, options)
}

test('The versions of a file have their commits, their texts and the hashes of these, through renames', async () => {
  await inRepository({ 'menus/old.yaml': textOf('One') }, async (repository) => {
    repository.commit('Two', { 'menus/old.yaml': textOf('Two') }, { author: 'Bo <bo@example.org>' })
    repository.git('mv', 'menus/old.yaml', 'menus/new name.yaml')
    repository.commit('Move')
    repository.commit('Beside', { 'menus/other.yaml': textOf('Other').replace('main', 'other') })
    const last = repository.commit('Three', { 'menus/new name.yaml': textOf('Three') })
    const { versions, more } = await versionsIn(repository, 'menus/new name.yaml')
    assert.is(more, false)
    assert.equal(
      versions.map(({ subject, path, what, summary, version }) => [subject, path, what, summary, version]),
      [
        ['Three', 'menus/new name.yaml', 'changed', '“Three” relabelled', contentHash(textOf('Three'))],
        ['Move', 'menus/new name.yaml', 'changed', 'only the formatting', contentHash(textOf('Two'))],
        ['Two', 'menus/old.yaml', 'changed', '“Two” relabelled', contentHash(textOf('Two'))],
        ['First', 'menus/old.yaml', 'added', '1 item', contentHash(textOf('One'))],
      ],
    )
    assert.equal([versions[0]?.commit, versions[2]?.author], [last, { name: 'Bo', email: 'bo@example.org' }])
    for (const { commit, path, blob, version, date } of versions) {
      assert.is(blob, repository.git('rev-parse', `${commit}:${path}`))
      const text = (await readBlobs(await opened(repository.dir), [blob ?? ''])).get(blob ?? '')
      assert.is(text && contentHash(text), version)
      assert.is(date, repository.git('show', '--no-patch', '--format=%aI', commit))
    }
  })
})

test('A deleted file has a version without a text, and so has one over the size limit', async () => {
  await inRepository({ 'a.yaml': textOf('One') }, async (repository) => {
    repository.commit('Large', { 'a.yaml': textOf('x'.repeat(600)) })
    repository.remove('a.yaml')
    repository.commit('Gone')
    const { versions } = await versionsIn(repository, 'a.yaml')
    assert.equal(
      versions.map(({ subject, what, version, blob }) => [subject, what, version, blob === null]),
      [
        ['Gone', 'deleted', null, true],
        ['Large', 'changed', null, false],
        ['First', 'added', contentHash(textOf('One')), false],
      ],
    )
    assert.equal(await versionsIn(repository, 'never.yaml'), { versions: [], more: false })
  })
})

test('At most as many versions are read as were asked for, and whether there are more is known', async () => {
  const repository = createRepository()
  for (let turn = 1; turn <= 5; turn++) repository.commit(`${turn}`, { 'a.yaml': textOf(`n${turn}`) })
  const subjects = async (limit: number): Promise<unknown> => {
    const { versions, more } = await versionsIn(repository, 'a.yaml', limit)
    return [versions.map(({ subject }) => subject).join(''), more]
  }
  assert.equal(
    [await subjects(2), await subjects(5)],
    [
      ['54', true],
      ['54321', false],
    ],
  )
  repository.close()
})

test.run()
