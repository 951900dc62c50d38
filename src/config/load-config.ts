import { dirname, join, resolve } from 'node:path'
import { type Problem, toProblem } from '../model/problem.js'
import { findConfigFile, readConfigFile } from './config-file.js'
import { type Environment, MENUS_VARIABLE, readEnvironment } from './environment.js'
import { type CombinedOptions, combineLayers, type GivenMenus, type Layer } from './layers.js'
import { formProblems } from './option-form.js'
import { optionAt, putAt, SECRETS } from './option-table.js'
import { type RemoteConfig, remoteConflicts, toRemoteConfig } from './remote.js'
import { toUsersPath } from './remote-address.js'

export interface ConfigInputs {
  /** Where to search for a configuration file when none is named; relative paths start at the file, and here without one. */
  readonly folder: string
  /** The file named by `--config`; null to search for one, false to read none. */
  readonly file: string | null | false
  readonly environment: Environment
  /** Options by flag, such as `{'server.port': 8080}`. */
  readonly flags: Readonly<Record<string, unknown>>
  /** The folder of the connection in use, from `folder`; it overrides MENUSCRIPT_MENUS. */
  readonly menus?: GivenMenus | null
}

/** Every option with where it came from, and the folders that they lead to. */
export interface Config extends Pick<CombinedOptions, 'options' | 'origins' | 'problems' | 'notes'> {
  /** The file that was read; null when there is none. */
  readonly file: string | null
  /** The absolute folder at which relative paths start. */
  readonly base: string
  /** The absolute folder of the menus. */
  readonly menusFolder: string
  /** The absolute path of the `policies` module. */
  readonly policiesFile: string | null
  /** The absolute folder of a site that is served beside the menus; null for none. */
  readonly staticFolder: string | null
  /** The absolute path of the file with the client secret for OpenID Connect. */
  readonly clientSecretFile: string | null
  /** The absolute folder of drafts, versions and users. */
  readonly stateFolder: string
  /** The absolute path of the users file. */
  readonly usersFile: string
  /** Its path in the remote repository; null where it is the service's own. */
  readonly usersPath: string | null
  /** The absolute paths of all files that it is made of: itself, and those that it names. */
  readonly inputFiles: readonly string[]
  /** The remote repository that holds the menus; null where they are in a folder. */
  readonly remote: RemoteConfig | null
}

/** What a program that Menuscript is a part of says about its configuration. */
export interface HostInputs {
  /** Where to search for `menuscript.config.*`. Default: the current folder. */
  readonly folder?: string
  /** The configuration file. Default: the one that is found in `folder`. */
  readonly config?: string
  /** The menus folder, from `folder`. Default: `MENUSCRIPT_MENUS`, else the folder in the configuration. */
  readonly menus?: string
  /** The variables that set options. Default: `process.env`. */
  readonly environment?: Environment
}

/** The configuration of such a program. */
export function loadHostConfig({ folder, config, menus: path, environment }: HostInputs): Promise<Config> {
  const menus = path === undefined ? null : { path, origin: { kind: 'code', where: 'menus' } as const }
  return loadConfig({
    folder: folder ?? process.cwd(),
    file: config ?? null,
    // PORT is the port of the program.
    environment: { ...(environment ?? process.env), PORT: undefined },
    flags: {},
    menus,
  })
}

/** Lays the sources of options over each other: flag over environment over file over default. Never throws. */
export async function loadConfig(inputs: ConfigInputs): Promise<Config> {
  const { folder: start, environment, flags } = inputs
  const { file, problems: found } =
    inputs.file === null
      ? findConfigFile(start)
      : { file: inputs.file === false ? null : resolve(start, inputs.file), problems: [] }
  const layers = [
    ...(file === null ? [] : [await readConfigFile(file)]),
    readEnvironment(environment),
    readFlags(flags),
  ]
  const base = file === null ? start : dirname(file)
  const menus = inputs.menus ?? menusOf(environment)
  // An empty text would be the current folder, with all its YAML files.
  const isPath = typeof menus?.path === 'string' && menus.path.trim() !== ''
  const given = isPath ? { ...menus, path: resolve(start, menus.path) } : null
  const noPath = menus === null || isPath ? [] : [notAPath(menus.origin)]
  const { options, origins, notes, files, problems } = combineLayers(layers, base, given)
  const { connection, connections } = options.storage
  const menusPath: unknown = new Map(Object.entries(connections ?? {})).get(connection)
  const policies = toText(options.policies)
  const policiesFile = policies === null ? null : resolve(base, policies)
  const site = toText(options.server?.static)
  const secret = toText(options.dashboard?.oidc?.client_secret_file)
  const clientSecretFile = secret === null ? null : resolve(base, secret)
  const stateFolder = resolve(base, toText(options.state?.dir) ?? '.menuscript')
  const remote = toRemoteConfig(options, base, stateFolder)
  const usersPath = toUsersPath(options.dashboard?.users_file)
  const clash = remote === null ? [] : remoteConflicts(origins)
  const folder =
    remote === null ? resolve(base, typeof menusPath === 'string' ? menusPath : 'menus') : remote.menusFolder
  return {
    options,
    origins,
    file,
    base,
    menusFolder: folder,
    remote,
    policiesFile,
    staticFolder: site === null ? null : resolve(base, site),
    clientSecretFile,
    stateFolder,
    usersFile:
      usersPath !== null && remote !== null
        ? join(remote.folder, usersPath)
        : resolve(base, toText(options.dashboard?.users_file) ?? join(stateFolder, 'users')),
    usersPath: remote === null ? null : usersPath,
    problems: withoutSecrets([...found, ...noPath, ...problems, ...clash], layers),
    notes,
    inputFiles: [file, policiesFile, clientSecretFile, ...files, ...(remote?.secretFiles ?? [])].filter(
      (each) => each !== null,
    ),
  }
}

/** The text of an option; null for none, and for what its schema refused. */
function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function menusOf(environment: Environment): GivenMenus | null {
  const path = environment[MENUS_VARIABLE]
  return path === undefined ? null : { path, origin: { kind: 'environment', where: MENUS_VARIABLE } }
}

function notAPath({ where }: GivenMenus['origin']): Problem {
  const what = `${where} must be the path of the menus folder.`
  return toProblem({ code: 'bad-value', path: where, what, todo: 'Give it a path, or leave it out.' })
}

function readFlags(flags: ConfigInputs['flags']): Layer {
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(flags)) putAt(values, name, value)
  const whereOf = (name: string): string => `--${name.split('.').at(-1)}`
  const problems = formProblems(values, whereOf, 'Give the flag another value, or leave it out.')
  return { kind: 'flag', values, whereOf, problems }
}

/** Messages repeat what is wrong; they end up in logs, where no secret may be. */
function withoutSecrets(problems: readonly Problem[], layers: readonly Layer[]): readonly Problem[] {
  const secrets = layers
    .flatMap(({ values }) => SECRETS.map((name) => optionAt(values, name)))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((secret) => secret !== '')
  const mask = (text: string): string =>
    secrets.reduce((masked, secret) => masked.replaceAll(secret, '(secret)'), text)
  return problems.map((problem) => ({ ...problem, what: mask(problem.what), todo: mask(problem.todo) }))
}
