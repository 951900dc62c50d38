import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMenusFolder } from '../support/menus-folder.js'
import { createRepository, type TestRepository } from '../support/repository.js'

/** A menu whose item `Office` only some see, unless it is for everybody; it has one warning that `lint --fix` removes. */
export function guarded(isForAll: boolean): string {
  const permissions = isForAll ? '' : '    permissions: [staff]\n'
  return `version: 1\ncode: main\nname: Main\nitems:\n  - label: { EN: Office }\n    url: /office\n${permissions}`
}

/** Makes a program that leaves a file with its name behind when it runs, and prints the file that it is given; gives its path. */
export type Trap = (name: string) => string

/** A repository in which something names programs that nobody asked for. */
export interface Plant {
  readonly title: string
  readonly plant: (repository: TestRepository, trap: Trap) => void
  /** Variables of the environment that are part of it. */
  readonly environment?: (trap: Trap) => Readonly<Record<string, string>>
}

/** A place for traps while a test runs. */
export interface Traps {
  readonly trap: Trap
  /** The names of those that have run since they were last asked for. */
  readonly sprung: () => readonly string[]
  readonly close: () => void
}

export function createTraps(): Traps {
  const { dir, close } = createMenusFolder()
  const marks = join(dir, 'marks')
  mkdirSync(marks)
  const trap: Trap = (name) => {
    const file = join(dir, `trap-${name}`)
    writeFileSync(file, `#!/bin/sh\ntouch '${marks}/${name}'\nif test -f "$1"; then cat "$1"; fi\n`)
    chmodSync(file, 0o755)
    return file
  }
  const sprung = (): readonly string[] => {
    const names = readdirSync(marks)
    for (const name of names) rmSync(join(marks, name))
    return names
  }
  return { trap, sprung, close }
}

/** Two branches: `main`, and `topic`, which is checked out and shows an item to everybody. */
export function createGuarded(): TestRepository {
  const repository = createRepository({
    'menuscript.config.yaml': 'locales: [en, es]\n',
    'menus/main.yaml': guarded(false).replace('Office', 'Offices'),
  })
  repository.commit('Name', { 'menus/main.yaml': guarded(false) })
  repository.git('checkout', '--quiet', '-b', 'topic')
  repository.commit('For all', { 'menus/main.yaml': guarded(true) })
  return repository
}

const HOOKS = [
  'post-index-change',
  'post-checkout',
  'reference-transaction',
  'pre-commit',
  'fsmonitor-watchman',
]

/** Settings that name programs, beside those of the traps: what makes git get to them. */
function settings(trap: Trap): readonly (readonly [string, string])[] {
  return [
    ['core.fsmonitor', trap('fsmonitor')],
    ['core.pager', trap('pager')],
    ['pager.log', 'true'],
    ['pager.diff', trap('pager-diff')],
    ['core.sshCommand', trap('ssh')],
    ['core.askPass', trap('askpass')],
    ['core.editor', trap('editor')],
    ['core.alternateRefsCommand', trap('alternate-refs')],
    ['gpg.program', trap('gpg')],
    ['log.showSignature', 'true'],
    ['diff.external', trap('diff-external')],
    ['diff.evil.command', trap('diff-command')],
    ['diff.evil.textconv', trap('textconv')],
    ['filter.evil.clean', trap('clean')],
    ['filter.evil.smudge', trap('smudge')],
    ['filter.evil.required', 'true'],
    ['credential.helper', trap('credential')],
    ['uploadpack.packObjectsHook', trap('pack-objects')],
    ['diff.submodule', 'log'],
    ['submodule.recurse', 'true'],
    ['status.submoduleSummary', 'true'],
  ]
}

const ATTRIBUTES = '*.yaml filter=evil diff=evil\n'

/** Remotes that promise objects, and run a program to bring them. */
function promise({ git }: TestRepository, trap: Trap): void {
  git('config', 'remote.evil.url', `ext::${trap('ext')}`)
  git('config', 'remote.evil.promisor', 'true')
  git('config', 'remote.evil.partialCloneFilter', 'blob:none')
  git('config', 'core.repositoryFormatVersion', '1')
  git('config', 'extensions.partialClone', 'evil')
  git('config', 'protocol.allow', 'always')
  git('config', 'protocol.ext.allow', 'always')
}

/** Takes the first version of the menu out of a repository. */
function forget({ dir, git }: TestRepository, name: string): void {
  const blob = git('rev-parse', name)
  rmSync(join(dir, '.git/objects', blob.slice(0, 2), blob.slice(2)))
}

/** Commits the files that make a folder a bare repository, with another history and settings of its own. */
function plantBare(repository: TestRepository, trap: Trap, folder: string, menu: string): void {
  const inner = createRepository({ [menu]: guarded(true).replace('Office', 'First') })
  inner.commit('Main', { [menu]: guarded(true) })
  inner.git('branch', 'topic')
  promise(inner, trap)
  for (const [key, value] of settings(trap)) inner.git('config', key, value)
  forget(inner, `main~1:${menu}`)
  inner.git('config', 'core.worktree', '.')
  for (const name of ['HEAD', 'config', 'objects', 'refs'])
    cpSync(join(inner.dir, '.git', name), join(repository.dir, folder, name), { recursive: true })
  inner.close()
  repository.commit('Bare')
}

export const BARE: readonly Plant[] = [
  {
    title: 'a bare repository in the menus folder',
    plant: (repository, trap) => plantBare(repository, trap, 'menus', 'main.yaml'),
  },
]

export const PLANTS: readonly Plant[] = [
  {
    title: 'settings of the clone, attributes and hooks',
    plant: (repository, trap) => {
      const { git, dir, commit } = repository
      commit('Attributes', { '.gitattributes': ATTRIBUTES })
      for (const [key, value] of settings(trap)) git('config', key, value)
      for (const hook of HOOKS) cpSync(trap(`hook-${hook}`), join(dir, '.git/hooks', hook))
    },
  },
  {
    title: 'settings that are included, hooks elsewhere',
    plant: (repository, trap) => {
      const { git, dir, write } = repository
      write('evil/config', settings(trap).map(toConfigLine).join(''))
      for (const hook of HOOKS) {
        write(`evil/hooks/${hook}`, '')
        cpSync(trap(`hook-${hook}`), join(dir, 'evil/hooks', hook))
      }
      git('config', 'include.path', '../evil/config')
      git('config', 'core.hooksPath', 'evil/hooks')
    },
  },
  {
    title: 'attributes by which a file on the disk passes for what is committed',
    plant: ({ git, commit, write, dir }, trap) => {
      commit('Attributes', { '.gitattributes': ATTRIBUTES })
      // A filter that gives what main has, whatever lies there.
      const committed = join(dir, 'committed')
      write('committed', guarded(false))
      git('config', 'filter.evil.clean', `${trap('clean')} ${committed}`)
    },
  },
  {
    title: 'a submodule with settings of its own, changed in the menus folder',
    plant: ({ git, dir, write }, trap) => {
      const inner = createRepository({ 'a.txt': 'a\n', '.gitattributes': '* filter=evil diff=evil\n' })
      git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'menus/sub')
      inner.close()
      git('commit', '--quiet', '--message', 'Submodule')
      const own = join(dir, '.git/modules/menus/sub')
      writeFileSync(join(own, 'config'), settings(trap).map(toConfigLine).join(''), { flag: 'a' })
      write('menus/sub/a.txt', 'other\n')
    },
  },
  {
    title: 'commits and files that others stand in for, and another history',
    plant: ({ git, write }) => {
      git('replace', 'main', 'topic')
      git('replace', '-f', 'main:menus/main.yaml', 'topic:menus/main.yaml')
      git('config', 'core.useReplaceRefs', 'true')
      write('.git/info/grafts', `${git('rev-parse', 'main')} ${git('rev-parse', 'topic')}\n`)
    },
  },
  {
    title: 'an index that hides what was changed',
    plant: ({ git }) => {
      git('reset', '--quiet', 'main', '--', 'menus/main.yaml')
      git('update-index', '--assume-unchanged', 'menus/main.yaml')
    },
  },
  {
    title: 'variables of the environment',
    plant: () => {},
    environment: (trap) => ({
      GIT_EXTERNAL_DIFF: trap('external-diff'),
      GIT_PAGER: trap('git-pager'),
      GIT_SSH_COMMAND: trap('git-ssh'),
      GIT_ASKPASS: trap('git-askpass'),
      GIT_PROXY_COMMAND: trap('git-proxy'),
      GIT_REPLACE_REF_BASE: 'refs/heads/',
      GIT_GRAFT_FILE: '/dev/null',
      GIT_NO_REPLACE_OBJECTS: '',
      GIT_ATTR_SOURCE: 'main',
      GIT_NAMESPACE: 'x',
      GIT_INDEX_FILE: '/nowhere',
      GIT_OBJECT_DIRECTORY: '/nowhere',
      GIT_SHALLOW_FILE: '/nowhere',
      GIT_DIR: '/nowhere',
      GIT_ALLOW_PROTOCOL: 'ext:file',
    }),
  },
]

/** An old version is missing, and a remote promises to bring it. */
export const MISSING: Plant = {
  title: 'a remote that promises an old version',
  plant: (repository, trap) => {
    promise(repository, trap)
    forget(repository, 'main~1:menus/main.yaml')
  },
}

function toConfigLine([key, value]: readonly [string, string]): string {
  const [, section = '', name, last = ''] = /^([^.]+)(?:\.(.*))?\.([^.]+)$/.exec(key) ?? []
  return `[${section}${name === undefined ? '' : ` "${name}"`}]\n\t${last} = ${value}\n`
}
