import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative } from 'node:path'
import {
  type Copy,
  DockerfileParser,
  type Env,
  type From,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast'
import * as assert from 'uvu/assert'
import { createMenusFolder, type MenusFolder } from '../support/menus-folder.js'
import { runProcess } from '../support/process.js'
import { kitText } from './kit.js'

/** What a Dockerfile makes: a folder that is the root of its processes, and how they start. */
export interface Image {
  readonly root: string
  readonly workdir: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly volumes: readonly string[]
  readonly command: readonly string[]
  readonly health: readonly string[]
  readonly close: () => void
}

/** A container engine is on few machines, but root can mount and change the root, which is all that one does here. */
export const CAN_CHROOT: boolean =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'none', '/tmp'])
    .status === 0 &&
  spawnSync('dpkg', ['--version']).status === 0

/** Where the Node.js is that runs the tests, which containers find in /node. */
export const NODE_BIN: string = dirname(process.execPath)

/**
 * The base image: the programs of this machine, read-only. Its package manager knows what is installed and has no sources, so
 * that it installs nothing.
 */
export const ENTER = `
  mount --bind "$ROOT" "$ROOT"
  cd "$ROOT"
  for folder in bin sbin lib lib32 lib64 libx32 usr opt; do
    [ -e "/$folder" ] || continue
    if [ -L "/$folder" ]; then ln -sfn "$(readlink "/$folder")" "$folder"; continue; fi
    mkdir -p "$folder"
    mount --rbind "/$folder" "$folder"
    mount -o remount,bind,ro "$folder"
  done
  mkdir -p dev proc tmp etc node var/lib/dpkg var/cache/apt/archives/partial
  mount --bind "$NODE_BIN" node
  cp -R /etc/passwd /etc/group /etc/nsswitch.conf /etc/resolv.conf /etc/ssl /etc/ld.so.cache /etc/alternatives etc
  cp /var/lib/dpkg/status var/lib/dpkg
  mount --rbind /dev dev
  mount --rbind /proc proc
  mount -t tmpfs none tmp`

const STEP = `${ENTER}
  mkdir -p ".$HOME"
  mount --rbind "$HOME" ".$HOME"
  exec chroot "$ROOT" sh -c 'cd "$0" && eval "$1"' "$WORKDIR" "$STEP"`

const COPY = `
  mkdir -p "$TARGET"
  for source in $SOURCES; do
    if [ -d "$source" ]; then cp -R "$source/." "$TARGET"
    elif [ -e "$source" ]; then cp "$source" "$TARGET"
    fi
  done`

type Stage = { -readonly [Key in keyof Omit<Image, 'close' | 'root'>]: Image[Key] } & {
  readonly folder: MenusFolder
}

/** Executes the steps of the Dockerfile on a project. The last stage is the image. */
export async function buildImage(
  project: string,
  args: Readonly<Record<string, string>> = {},
): Promise<Image> {
  const context = contextOf(project)
  const stages = new Map<string, Stage>()
  let variables: Readonly<Record<string, string>> = {}
  let stage: Stage | undefined
  for (const instruction of DockerfileParser.parse(kitText('Dockerfile')).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      stage = newStage()
      stages.set((instruction as From).getBuildStage() ?? '', stage)
      variables = {}
    } else if (instruction.getKeyword() === 'ARG') {
      const [name = '', value = ''] = instruction.getArgumentsContent()?.split('=') ?? []
      variables = { ...variables, [name]: args[name] ?? value }
    } else if (stage !== undefined)
      await execute(instruction, stage, { variables, stages, context: context.dir })
  }
  const image = stages.get('')
  assert.ok(image !== undefined)
  const close = (): void => {
    for (const { close } of [context, ...[...stages.values()].map(({ folder }) => folder)]) close()
  }
  return { ...image, root: image.folder.dir, close }
}

/** The files of a project that the build sees: the ignore file has names only. */
function contextOf(project: string): MenusFolder {
  const ignored = kitText('.dockerignore').trim().split('\n')
  const folder = createMenusFolder()
  const isSent = (path: string) => !ignored.includes(relative(project, path))
  cpSync(project, folder.dir, { recursive: true, filter: isSent })
  return folder
}

function newStage(): Stage {
  const folder = createMenusFolder()
  chmodSync(folder.dir, 0o755)
  const PATH = `/node:${NODE_BIN}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`
  return { folder, workdir: '/', env: { PATH }, user: '0:0', volumes: [], command: [], health: [] }
}

interface Build {
  readonly variables: Readonly<Record<string, string>>
  readonly stages: ReadonlyMap<string, Stage>
  readonly context: string
}

async function execute(
  instruction: Instruction,
  stage: Stage,
  { variables, stages, context }: Build,
): Promise<void> {
  const known = { ...stage.env, ...variables }
  const text = instruction.getArgumentsContent() ?? ''
  const expand = (value: string): string => value.replace(/\$\{?(\w+)\}?/g, (_, name) => known[name] ?? '')
  const inside = (path: string): string =>
    join(stage.folder.dir, isAbsolute(path) ? path : join(stage.workdir, path))
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      stage.workdir = text
      mkdirSync(inside(text), { recursive: true })
      return
    case 'RUN': {
      const env = {
        ...known,
        NODE_BIN,
        ROOT: stage.folder.dir,
        WORKDIR: stage.workdir,
        STEP: text,
        HOME: homedir(),
      }
      await run(['unshare', '--mount', '--pid', '--fork', 'sh', '-euc', STEP], env)
      return
    }
    case 'COPY': {
      const from = (instruction as Copy).getFromFlag()?.getValue()
      const words = instruction.getArguments().map((argument) => argument.getValue())
      const sources = words.slice(0, -1).map((source) => source.replace(/^\//, ''))
      const cwd = from === undefined || from === null ? context : (stages.get(from)?.folder.dir ?? '')
      await run(['sh', '-euc', COPY], { SOURCES: sources.join(' '), TARGET: inside(words.at(-1) ?? '') }, cwd)
      return
    }
    case 'ENV':
      for (const property of (instruction as Env).getProperties())
        stage.env = { ...stage.env, [property.getName()]: expand(property.getValue() ?? '') }
      return
    case 'USER':
      stage.user = expand(text)
      return
    case 'VOLUME':
      stage.volumes = [...stage.volumes, text]
      return
    case 'HEALTHCHECK':
      stage.health = JSON.parse(text.replace(/^CMD /, '')) as string[]
      return
    case 'CMD':
      stage.command = (instruction as JSONInstruction)
        .getJSONStrings()
        .map((word) => JSON.parse(word.getValue()))
      return
    case 'EXPOSE':
      return
    default:
      throw new Error(`The tests execute no ${instruction.getKeyword()}.`)
  }
}

async function run(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = '/',
): Promise<void> {
  const [program = '', ...args] = words
  const lifecycle = Object.keys(process.env).filter((name) => /^npm_(?!config_)|^INIT_CWD$/.test(name))
  const cleaned = Object.fromEntries(lifecycle.map((name) => [name, undefined]))
  const { code, stdout, stderr } = await runProcess(program, args, { cwd, env: { ...cleaned, ...env } })
  assert.is(code, 0, `${env['STEP'] ?? env['SOURCES']}\n${stdout}${stderr}`)
}
