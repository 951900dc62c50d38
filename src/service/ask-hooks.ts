import { isMap } from '../model/json.js'
import type { MenuItem } from '../model/menu.js'
import { done, failed, type Result } from '../model/result.js'
import type { RoutedItem } from '../model/tree.js'
import { permits } from '../model/visibility.js'
import {
  ANONYMOUS,
  HookError,
  type KnownMenus,
  type MenuRequest,
  type Policies,
  type Viewer,
} from './hooks.js'
import { type Log, toReason } from './log.js'
import { createOnce } from './once.js'

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
  /** Whether a viewer may see an item; false when the hook throws or gives anything but true. Without one: by permissions. */
  readonly checkerFor: (viewer: Viewer, request: MenuRequest) => (item: MenuItem) => boolean
  /** Null when the hook throws or gives no text, and without one. */
  readonly locale: (request: MenuRequest) => string | null
  /** Null when the hook throws or gives no text, and without one. */
  readonly path: (item: RoutedItem, request: MenuRequest) => string | null
}

/** Milliseconds for which a request waits for its preparation; the server would end it a little later without a word. */
const PREPARE_MS = 10_000

export function createAskedHooks(policies: Policies, log: Log): AskedHooks {
  // Once per kind: the number of kinds is small, for any visitors.
  const isFirst = createOnce()
  let failures = 0
  const note = (hook: string, kind: 'throws' | 'bad answer', reason: () => string): void => {
    failures++
    if (isFirst(`${hook} ${kind}`)) log.error('hook_failed', { hook, kind, reason: reason() })
  }
  /** What a hook answers; else what is wrong with it, in the words of an error. */
  const ask = <T>(
    hook: keyof Policies,
    call: () => unknown,
    accept: (answer: unknown) => answer is T,
    lackOf: (answer: unknown) => string = () => '',
  ): Result<T, () => string> => {
    let answer: unknown
    try {
      answer = call()
      // Reading an answer may throw, too: it may have getters, or be a proxy.
      if (accept(answer)) return done(answer)
    } catch (thrown) {
      note(hook, 'throws', () => toReason(thrown))
      return failed(() => 'it threw; the line hook_failed of the log has the error')
    }
    passOver(answer)
    note(hook, 'bad answer', () => describe(answer))
    return failed(() => `it answered ${describe(answer)}${lackOf(answer)}`)
  }
  return {
    policies,
    failures: () => failures,
    prepare: async (request) => {
      const { prepareRequest } = policies
      if (prepareRequest === undefined) return
      try {
        // In a function of its own, so that a hook that throws at once is caught, too.
        await within(PREPARE_MS, (async () => prepareRequest(request))())
      } catch (thrown) {
        throw new HookError('prepareRequest', toReason(thrown))
      }
    },
    menuCode: (request, hint, menus) => {
      const { resolveMenuCode } = policies
      if (resolveMenuCode === undefined) return hint
      const call = (): unknown => resolveMenuCode(request, hint, menus)
      const { value, fault } = ask('resolveMenuCode', call, isText)
      if (fault === null) return value
      throw new HookError('resolveMenuCode', `${fault()}; it must answer the code of a menu, a text`)
    },
    viewer: (request) => {
      const { resolveViewer } = policies
      if (resolveViewer === undefined) return ANONYMOUS
      const { value, fault } = ask('resolveViewer', () => resolveViewer(request), isViewer, viewerFaults)
      if (fault === null) return value
      throw new HookError('resolveViewer', `${fault()}; it must answer ${A_VIEWER}`)
    },
    checkerFor: (viewer, request) => {
      if (policies.canView !== undefined)
        return (item) =>
          ask('canView', () => policies.canView?.(item, viewer, request), isBoolean).value ?? false
      const held = new Set(viewer.permissions)
      return (item) => permits(item, held)
    },
    locale: (request) => ask('resolveLocale', () => policies.resolveLocale?.(request), isText).value,
    path: ({ routeName, routeParams }, request) => {
      const call = (): unknown => policies.generatePath?.(routeName ?? '', routeParams, request)
      return ask('generatePath', call, isTextOrNull).value
    },
  }
}

const A_VIEWER = '{ id, permissions }: id a text, a number or null, permissions a list of texts'

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

function isText(answer: unknown): answer is string {
  return typeof answer === 'string'
}

function isTextOrNull(answer: unknown): answer is string | null {
  return answer === null || typeof answer === 'string'
}

function isBoolean(answer: unknown): answer is boolean {
  return typeof answer === 'boolean'
}

function isViewer(answer: unknown): answer is Viewer {
  const { id, permissions } = (answer ?? {}) as Record<string, unknown>
  return isId(id) && Array.isArray(permissions) && permissions.every(isText)
}

function isId(id: unknown): boolean {
  return id === null || typeof id === 'string' || typeof id === 'number'
}

/** What an object lacks to be a viewer, in words. */
function viewerFaults(answer: unknown): string {
  try {
    if (!isMap(answer) || answer instanceof Promise) return ''
    const { id, permissions } = answer
    const texts: readonly unknown[] = Array.isArray(permissions) ? permissions : []
    const place = texts.findIndex((each) => !isText(each))
    const missing = ['id', 'permissions'].filter((name) => !(name in answer))
    const wrong = [
      ...('id' in answer && !isId(id) ? [`id is ${toKind(id)}`] : []),
      ...('permissions' in answer && texts !== permissions ? [`permissions is ${toKind(permissions)}`] : []),
      ...(place === -1 ? [] : [`permissions[${place}] is ${toKind(texts[place])}`]),
    ]
    const where = wrong.length > 0 ? `, where ${wrong.join(' and ')}` : ''
    return missing.map((name) => `, without ${name}`).join('') + where
  } catch {
    return ''
  }
}

function toKind(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}
