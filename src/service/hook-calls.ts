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
export interface HookCalls {
  readonly policies: Policies
  /** How often one has failed so far. */
  readonly failures: () => number
  /** Awaits the hook `prepareRequest`, at most for 10 seconds. Throws HookError when it fails. */
  readonly prepare: (request: MenuRequest) => Promise<void>
  /** Throws HookError when the hook throws or gives no text. Without one: the hint. */
  readonly menuCode: (request: MenuRequest, hint: string, menus: KnownMenus) => string
  /** Throws HookError if the hook throws or returns no viewer. Default: anonymous. */
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

/** Milliseconds for which a request waits for its preparation; the server would silently end it a little later. */
const PREPARE_MS = 10_000

/** Whether an answer of a hook can be used, for those that answer at once. */
const ACCEPTS = {
  resolveMenuCode: isText,
  resolveViewer: isViewer,
  resolveOperator: (answer: unknown) => answer === null || isOperator(answer),
  canView: (answer: unknown) => typeof answer === 'boolean',
  resolveLocale: isText,
  generatePath: (answer: unknown) => answer === null || isText(answer),
}

type Answering = Required<Pick<Policies, keyof typeof ACCEPTS>>

/** What the hooks must return for anything to be served. */
const NEEDED = {
  resolveMenuCode: 'the code of a menu, a string',
  resolveViewer: '{ id, permissions }: id a string, a number or null, permissions a list of strings',
  resolveOperator: '{ id, role } or null: id a string of up to 200 characters, role view or edit',
}

export function createHookCalls(policies: Policies, log: Log): HookCalls {
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
    try {
      answer = Reflect.apply(policies[hook] as () => unknown, policies, given)
      // Reading an answer may throw, too: it may have getters, or be a proxy.
      if (ACCEPTS[hook](answer)) return done(answer as ReturnType<Answering[Hook]>)
    } catch (thrown) {
      note(hook, 'throws', () => toReason(thrown))
      return failed(() => 'it threw; the line hook_failed of the log has the error')
    }
    passOver(answer)
    note(hook, 'bad answer', () => describe(answer))
    return failed(() => `it returned ${describe(answer)}`)
  }
  const need = <Hook extends keyof typeof NEEDED>(hook: Hook, ...given: Parameters<Answering[Hook]>) => {
    const { value, fault } = ask(hook, ...given)
    if (fault === null) return value
    throw new HookError(hook, `${fault()}; it must return ${NEEDED[hook]}`)
  }
  return {
    policies,
    failures: () => failures,
    prepare: async (request) => {
      try {
        // Called in here, so that a hook that throws at once is caught, too.
        await within(PREPARE_MS, (async () => policies.prepareRequest?.(request))(), 'no result')
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

/** A promise, or an error after some milliseconds, which says what is missing. */
export function within<T>(ms: number, promise: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} within ${ms / 1000} seconds`)), ms)
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

/** An answer in the words of the log: its kind and those of its members, never its values. */
function describe(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return String(answer === null ? null : typeof answer)
  try {
    if (answer instanceof Promise) return 'a promise; hooks are synchronous'
    if (Array.isArray(answer)) return `a list of ${answer.length}`
    const members = Object.entries(answer).map(([name, value]) => `${name} (${toKind(value)})`)
    return `an object with ${members.slice(0, 10).join(', ') || 'nothing in it'}`
  } catch {
    return 'an object that cannot be read'
  }
}

function toKind(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}

function isText(answer: unknown): boolean {
  return typeof answer === 'string'
}

function isViewer(answer: unknown): boolean {
  if (!isMap(answer)) return false
  const { id, permissions } = answer
  const isId = id === null || typeof id === 'string' || typeof id === 'number'
  return isId && Array.isArray(permissions) && permissions.every(isText)
}

function isOperator(answer: unknown): boolean {
  if (!isMap(answer) || answer instanceof Promise) return false
  const { id, name = id, role } = answer
  return [id, name].every(isIdentity) && (role === 'view' || role === 'edit')
}

/** Whether a text can name a person in the log, in commits and on pages. */
export function isIdentity(text: unknown): boolean {
  return typeof text === 'string' && text.length <= 200 && /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u.test(text)
}
