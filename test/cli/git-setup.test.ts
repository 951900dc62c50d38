import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createMenusFolder } from '../support/menus-folder.js'
import { inRepository } from '../support/repository.js'
import { menuscript, menuText } from './command.js'

const COMMENT = '# Menus are merged item by item, once a clone knows how: menuscript git setup\n'
const RULES = 'menus/**/*.[yY][aA][mM][lL] merge=menuscript\nmenus/**/*.[yY][mM][lL] merge=menuscript\n'

test('git setup adds the attributes, sets the driver, and reports both', async () => {
  await inRepository({ 'menus/a.yaml': menuText('a') }, async ({ dir, git }) => {
    const { code, stdout, stderr } = await menuscript(['git', 'setup'], { cwd: dir })
    assert.equal([code, stderr], [0, ''])
    assert.is(stdout, `${RULES}  are in .gitattributes\nmerge.menuscript.driver\n  is set in this clone\n`)
    assert.is(readFileSync(join(dir, '.gitattributes'), 'utf8'), COMMENT + RULES)
    assert.is(git('check-attr', 'merge', 'menus/a.yaml'), 'menus/a.yaml: merge: menuscript')
    assert.is(git('check-attr', 'merge', 'menus/deep/er/b.yml'), 'menus/deep/er/b.yml: merge: menuscript')
    assert.is(git('check-attr', 'merge', 'menus/A.YAML'), 'menus/A.YAML: merge: menuscript')
    assert.is(git('check-attr', 'merge', 'menus/b.Yml'), 'menus/b.Yml: merge: menuscript')
    assert.is(git('check-attr', 'merge', 'other/a.yaml'), 'other/a.yaml: merge: unspecified')
    assert.match(git('config', 'merge.menuscript.driver'), /merge-driver --marker-size %L -- %O %A %B %P;/)
  })
})

test('A second git setup reports that it changes nothing', async () => {
  await inRepository({ 'menus/a.yaml': menuText('a') }, async ({ dir }) => {
    await menuscript(['git', 'setup'], { cwd: dir })
    const before = ['.gitattributes', '.git/config'].map((file) => readFileSync(join(dir, file), 'utf8'))
    const { stdout } = await menuscript(['git', 'setup', '--json'], { cwd: dir })
    const { changed, version } = JSON.parse(stdout)
    assert.equal([version, changed], [1, { attributes: false, driver: false }])
    assert.equal(
      ['.gitattributes', '.git/config'].map((file) => readFileSync(join(dir, file), 'utf8')),
      before,
    )
  })
})

test('Existing rules in .gitattributes stay, and ours come last, where they count; --remove takes only them', async () => {
  const own = '*.yaml text merge=union\r\n*.png binary'
  await inRepository({ '.gitattributes': own, 'menus/a.yaml': menuText('a') }, async ({ dir, git }) => {
    await menuscript(['git', 'setup'], { cwd: dir })
    const text = readFileSync(join(dir, '.gitattributes'), 'utf8')
    assert.is(text, `${own}\r\n${(COMMENT + RULES).replaceAll('\n', '\r\n')}`)
    assert.is(git('check-attr', 'merge', 'menus/a.yaml'), 'menus/a.yaml: merge: menuscript')
    const { code, stdout } = await menuscript(['git', 'setup', '--remove'], { cwd: dir })
    assert.is(code, 0)
    assert.match(stdout, 'are removed from .gitattributes')
    assert.is(readFileSync(join(dir, '.gitattributes'), 'utf8'), `${own}\r\n`)
    assert.not.match(readFileSync(join(dir, '.git/config'), 'utf8'), 'menuscript')
  })
})

test('The folder, the prefix and the configuration of a project below the top are known', async () => {
  const files = {
    'my site/menuscript.config.yaml': 'storage: { connections: { default: "nav [x]" }, file_prefix: nav- }\n',
    'my site/nav [x]/nav-a.yaml': menuText('a'),
  }
  await inRepository(files, async ({ dir, git }) => {
    const { code, stderr } = await menuscript(['git', 'setup'], { cwd: join(dir, 'my site') })
    assert.equal([code, stderr], [0, ''])
    const path = 'my site/nav [x]/nav-a.yaml'
    assert.is(git('check-attr', 'merge', path), `${path}: merge: menuscript`)
    assert.is(
      git('check-attr', 'merge', 'my site/nav [x]/a.yaml'),
      'my site/nav [x]/a.yaml: merge: unspecified',
    )
    assert.not.match(git('config', 'merge.menuscript.driver'), '--config')
    const again = JSON.parse(
      (await menuscript(['git', 'setup', '--json'], { cwd: join(dir, 'my site') })).stdout,
    )
    assert.equal(again.changed, { attributes: false, driver: false })
    assert.is(again.file, '../.gitattributes')
  })
})

test('Attributes that are not UTF-8 keep their bytes', async () => {
  const own = Buffer.from('caf\xe9/* text\n# \xc3\xa0 propos\xa0\n', 'latin1')
  await inRepository(
    { '.gitattributes': own, 'menús/à b/a.yaml': menuText('a') },
    async ({ dir, git, write }) => {
      write('menuscript.config.yaml', 'storage: { connections: { default: "menús/à b" } }\n')
      await menuscript(['git', 'setup'], { cwd: dir })
      const bytes = readFileSync(join(dir, '.gitattributes'))
      assert.ok(bytes.subarray(0, own.length).equals(own))
      assert.match(git('check-attr', '-z', 'merge', 'menús/à b/a.yaml'), 'menuscript')
      await menuscript(['git', 'setup'], { cwd: dir })
      assert.ok(readFileSync(join(dir, '.gitattributes')).equals(bytes))
      await menuscript(['git', 'setup', '--remove'], { cwd: dir })
      assert.ok(readFileSync(join(dir, '.gitattributes')).equals(own))
      assert.not.match(readFileSync(join(dir, '.git/config'), 'utf8'), 'menuscript')
    },
  )
})

test('An attributes file that is a symbolic link, which git ignores, is reported; its target stays', async () => {
  await inRepository({ 'menus/a.yaml': menuText('a'), target: '*.a b\n' }, async ({ dir }) => {
    symlinkSync('target', join(dir, '.gitattributes'))
    for (const more of [[], ['--remove']]) {
      const { code, stderr } = await menuscript(['git', 'setup', ...more], { cwd: dir })
      assert.is(code, 3)
      assert.match(
        stderr,
        /^error: .*\.gitattributes is a symbolic link, which git does not follow\. Make it a file, then run this again\.\n$/,
      )
    }
    assert.is(readFileSync(join(dir, 'target'), 'utf8'), '*.a b\n')
    assert.not.match(readFileSync(join(dir, '.git/config'), 'utf8'), 'menuscript')
  })
})

test('A linked work tree has the driver of its clone', async () => {
  await inRepository({ 'menus/a.yaml': menuText('a') }, async ({ dir, git }) => {
    await menuscript(['git', 'setup'], { cwd: dir })
    git('worktree', 'add', '--quiet', '-b', 'side', `${dir}-side`)
    try {
      const { stdout } = await menuscript(['git', 'setup', '--json'], { cwd: `${dir}-side` })
      assert.equal(JSON.parse(stdout).changed, { attributes: true, driver: false })
    } finally {
      git('worktree', 'remove', '--force', `${dir}-side`)
    }
  })
})

test('A place that is not a repository, menus outside of it and attributes in conflict are reported', async () => {
  const folder = createMenusFolder({ 'menus/a.yaml': menuText('a') })
  const none = await menuscript(['git', 'setup'], { cwd: folder.dir })
  assert.is(none.code, 3)
  assert.match(
    none.stderr,
    /^error: .* is not in a git repository\. Run this in a clone of one, or create one with `git init`\.\n$/,
  )
  folder.close()
  const config = 'storage: { connections: { default: ../elsewhere } }\n'
  await inRepository({ 'menuscript.config.yaml': config }, async ({ dir }) => {
    const outside = await menuscript(['git', 'setup'], { cwd: dir })
    assert.is(outside.code, 3)
    assert.match(
      outside.stderr,
      /^error: .*elsewhere is not in .*\. Run this in the repository of the menus\.\n$/,
    )
  })
  await inRepository({ 'menus/a.yaml': menuText('a') }, async ({ dir }) => {
    writeFileSync(join(dir, '.gitattributes'), '<<<<<<< HEAD\n*.a b\n=======\n>>>>>>> x\n')
    const conflict = await menuscript(['git', 'setup'], { cwd: dir })
    assert.is(conflict.code, 3)
    assert.match(conflict.stderr, /^error: .*\.gitattributes has a merge conflict\. Resolve it first\.\n$/)
  })
})

test('git without a subcommand lists the subcommands', async () => {
  await inRepository({ 'README.md': 'x\n' }, async ({ dir }) => {
    const { code, stderr } = await menuscript(['git'], { cwd: dir })
    assert.is(code, 2)
    assert.match(stderr, 'setup')
  })
})

test.run()
