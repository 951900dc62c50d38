import { isMap } from '../model/json.js'
import type { MenuItem } from '../model/menu.js'
import { done, failed, type Result } from '../model/result.js'
import type { RoutedItem } from '../model/tree.js'
import { permits } from '../model/visibility.js'
import {
  ANONYMOUS,
  HookError,
  type KnownMenus,
  type KnownOperator,
  type MenuRequest,
  type Policies,
  type Viewer,
} from './hooks.js'
import { type Log, toReason } from './log.js'
import { createOnce } from './notices.js'

/** The hooks of a deployment, asked with care: each fails closed in its own way. */
export interface AskedHooks {
  readonly policies: Policies
  /** How often one has failed so far. */
  readonly failures: () => number
  /** Awaits the hook `prepareRequest`, at most for 10 seconds. Throws HookError when it fails. */
  readonly prepare: (request: MenuRequest) => Promise<void>
  /** Throws HookError when the hook throws or gives no text. Without one: the hint. */
  readonly menuCode: (request: MenuRequest, hint: string, menus: KnownMenus) => string
  /** Throws HookError when the hook throws or gives no viewer. Without a hook: nobody. */
  readonly viewer: (request: MenuRequest) => Viewer
  /** Throws HookError when the hook throws or gives neither an operator nor null. Without a hook: null. */
  readonly operator: (request: MenuRequest) => KnownOperator | null
  /** Whether a viewer may see an item; false when the hook throws or gives anything but true. Without one: by permissions. */
  readonly checkerFor: (viewer: Viewer, request: MenuRequest) => (item: MenuItem) => boolean
  /** Where there is such a hook; null when it throws or gives no text. */
  readonly locale: (request: MenuRequest) => string | null
  /** The same. */
  readonly path: (item: RoutedItem, request: MenuRequest) => string | null
}

/** Milliseconds for which a request waits for its preparation; the server would end it a little later without a word. */
const PREPARE_MS = 10_000

/** The hooks that answer something at once. */
type Answering = Required<Pick<Policies, keyof typeof LACKS>>

/** What an answer of each hook lacks, in words; null for what it may answer. */
const LACKS = {
  resolveMenuCode: lackOfText,
  resolveViewer: lackOfViewer,
  resolveOperator: (answer: unknown) => (answer === null || isOperator(answer) ? null : ''),
  canView: (answer: unknown) => (typeof answer === 'boolean' ? null : ''),
  resolveLocale: lackOfText,
  generatePath: (answer: unknown) => (answer === null ? null : lackOfText(answer)),
}

/** What the hooks must answer without which nothing may be served. */
const NEEDED = {
  resolveMenuCode: 'the code of a menu, a text',
  resolveViewer: '{ id, permissions }: id a text, a number or null, permissions a list of texts',
  resolveOperator: '{ id, role } or null: id a text of up to 200 characters, role view or edit',
}

export function createAskedHooks(policies: Policies, log: Log): AskedHooks {
  // Once per kind: the number of kinds is small, for any visitors.
  const isFirst = createOnce()
  let failures = 0
  const note = (hook: string, kind: 'throws' | 'bad answer', reason: () => string): void => {
    failures++
    if (isFirst(`${hook} ${kind}`)) log.error('hook_failed', { hook, kind, reason: reason() })
  }
  /** What a hook answers; else what is wrong with it, in the words of an error. */
  const ask = <Hook extends keyof Answering>(
    hook: Hook,
    ...given: Parameters<Answering[Hook]>
  ): Result<ReturnType<Answering[Hook]>, () => string> => {
    let answer: unknown
    let lack: string | null
    try {
      answer = Reflect.apply(policies[hook] as () => unknown, policies, given)
      // Reading an answer may throw, too: it may have getters, or be a proxy.
      lack = LACKS[hook](answer)
    } catch (thrown) {
      note(hook, 'throws', () => toReason(thrown))
      return failed(() => 'it threw; the line hook_failed of the log has the error')
    }
    if (lack === null) return done(answer as ReturnType<Answering[Hook]>)
    passOver(answer)
    note(hook, 'bad answer', () => describe(answer))
    return failed(() => `it answered ${describe(answer)}${lack}`)
  }
  const need = <Hook extends keyof typeof NEEDED>(hook: Hook, ...given: Parameters<Answering[Hook]>) => {
    const { value, fault } = ask(hook, ...given)
    if (fault === null) return value
    throw new HookError(hook, `${fault()}; it must answer ${NEEDED[hook]}`)
  }
  return {
    policies,
    failures: () => failures,
    prepare: async (request) => {
      try {
        // Called in here, so that a hook that throws at once is caught, too.
        await within(PREPARE_MS, (async () => policies.prepareRequest?.(request))())
      } catch (thrown) {
        throw new HookError('prepareRequest', toReason(thrown))
      }
    },
    menuCode: (request, hint, menus) => {
      if (policies.resolveMenuCode === undefined) return hint
      // Nothing but this: a hook of the deployment must not be able to change what is served.
      return need('resolveMenuCode', request, hint, { has: (code) => menus.has(code) })
    },
    viewer: (request) => (policies.resolveViewer === undefined ? ANONYMOUS : need('resolveViewer', request)),
    operator: (request) => (policies.resolveOperator === undefined ? null : need('resolveOperator', request)),
    checkerFor: (viewer, request) => {
      if (policies.canView !== undefined)
        return (item) => ask('canView', item, viewer, request).value === true
      const held = new Set(viewer.permissions)
      return (item) => permits(item, held)
    },
    locale: (request) => ask('resolveLocale', request).value,
    path: ({ routeName, routeParams }, request) =>
      ask('generatePath', routeName ?? '', routeParams, request).value,
  }
}

/** A promise, or an error after some milliseconds. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} seconds`)), ms)
    promise.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

/** A rejected promise that is not awaited must not end the process. */
function passOver(answer: unknown): void {
  try {
    if (answer instanceof Promise) Promise.prototype.then.call(answer, undefined, () => {})
  } catch {
    // What cannot even be read is not a promise.
  }
}

/** An answer in the words of the log: its kind and its members, never its values. */
function describe(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return String(answer === null ? null : typeof answer)
  try {
    if (answer instanceof Promise) return 'a promise; hooks are synchronous'
    if (Array.isArray(answer)) return `a list of ${answer.length}`
    return `an object with ${Object.keys(answer).slice(0, 10).join(', ') || 'nothing in it'}`
  } catch {
    return 'an object that cannot be read'
  }
}

function lackOfText(answer: unknown): string | null {
  return typeof answer === 'string' ? null : ''
}

function isOperator(answer: unknown): boolean {
  if (!isMap(answer) || answer instanceof Promise) return false
  const { id, role, name = id } = answer as Record<string, unknown>
  return [id, name].every(isIdentity) && (role === 'view' || role === 'edit')
}

/** Whether a text can name a person in the log, in commits and on pages. */
export function isIdentity(text: unknown): boolean {
  return typeof text === 'string' && text.length <= 200 && /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u.test(text)
}

/** What an answer lacks to be a viewer, in words; null for a viewer. */
function lackOfViewer(answer: unknown): string | null {
  const { id, permissions } = (answer ?? {}) as Record<string, unknown>
  const hasId = id === null || typeof id === 'string' || typeof id === 'number'
  const texts: readonly unknown[] | null = Array.isArray(permissions) ? permissions : null
  const place = texts?.findIndex((each) => typeof each !== 'string') ?? null
  if (hasId && place === -1) return null
  if (!isMap(answer) || answer instanceof Promise) return ''
  const missing = ['id', 'permissions'].filter((name) => !(name in answer)).map((name) => `, without ${name}`)
  const wrong: string[] = []
  if (!hasId && 'id' in answer) wrong.push(`id is ${toKind(id)}`)
  if (texts === null && 'permissions' in answer) wrong.push(`permissions is ${toKind(permissions)}`)
  if (place !== null && place >= 0) wrong.push(`permissions[${place}] is ${toKind(texts?.[place])}`)
  return missing.join('') + (wrong.length > 0 ? `, where ${wrong.join(' and ')}` : '')
}

function toKind(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
