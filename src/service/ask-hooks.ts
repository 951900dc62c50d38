import type { MenuItem } from '../model/menu.js'
import {
  ANONYMOUS,
  HookError,
  type KnownMenus,
  type MenuRequest,
  type Policies,
  type Viewer,
} from './hooks.js'
import { type Log, toReason } from './log.js'

/** The hooks of a deployment, asked with care: each fails closed in its own way. */
export interface AskedHooks {
  /** How often one has failed so far. */
  readonly failures: () => number
  /** Throws HookError when the hook throws or gives no text. */
  readonly menuCode: (request: MenuRequest, hint: string, menus: KnownMenus) => string
  /** Throws HookError when the hook throws or gives no viewer. */
  readonly viewer: (request: MenuRequest) => Viewer
  /** False when the hook throws or gives anything but true. */
  readonly canView: (item: MenuItem, viewer: Viewer, request: MenuRequest) => boolean
  /** Null when the hook throws or gives no text. */
  readonly locale: (request: MenuRequest) => string | null
  /** Null when the hook throws or gives no text. */
  readonly path: (routeName: string, item: MenuItem, request: MenuRequest) => string | null
}

/** Asks only the hooks that `policies` has: for the others the caller has an answer of our own. */
export function createAskedHooks(policies: Policies, log: Log): AskedHooks {
  const told = new Set<string>()
  let failures = 0
  // Once per kind: the number of kinds is small, whatever visitors do.
  const tell = (hook: string, kind: 'throws' | 'bad answer', reason: () => string): void => {
    failures++
    if (told.has(`${hook} ${kind}`)) return
    told.add(`${hook} ${kind}`)
    log.error('hook_failed', { hook, kind, reason: reason() })
  }
  const ask = <T>(
    hook: string,
    call: () => unknown,
    accept: (answer: unknown) => answer is T,
    onBad: (answer: unknown) => void = () => {},
  ): T | null => {
    let answer: unknown
    try {
      answer = call()
      // To look at an answer may throw, too: it may have getters, or be a proxy.
      if (accept(answer)) return answer
    } catch (thrown) {
      tell(hook, 'throws', () => toReason(thrown))
      return null
    }
    passOver(answer)
    tell(hook, 'bad answer', () => describe(answer))
    onBad(answer)
    return null
  }
  /** Asks a hook without whose answer nothing may be served; its error names what came and what is needed. */
  const demand = <T>(
    hook: 'resolveMenuCode' | 'resolveViewer',
    call: () => unknown,
    accept: (answer: unknown) => answer is T,
  ): T => {
    let fault = 'it threw; the line hook_failed of the log says what'
    const answer = ask(hook, call, accept, (bad) => {
      fault = `it answered ${describe(bad)}${hook === 'resolveViewer' ? viewerFaults(bad) : ''}; it must answer ${NEEDED[hook]}`
    })
    if (answer === null) throw new HookError(hook, fault)
    return answer
  }
  return {
    failures: () => failures,
    menuCode: (request, hint, menus) => {
      const { resolveMenuCode } = policies
      if (resolveMenuCode === undefined) return hint
      return demand('resolveMenuCode', () => resolveMenuCode(request, hint, menus), isText)
    },
    viewer: (request) => {
      const { resolveViewer } = policies
      if (resolveViewer === undefined) return ANONYMOUS
      return demand('resolveViewer', () => resolveViewer(request), isViewer)
    },
    canView: (item, viewer, request) =>
      ask('canView', () => policies.canView?.(item, viewer, request), isBoolean) ?? false,
    locale: (request) => ask('resolveLocale', () => policies.resolveLocale?.(request), isText),
    path: (routeName, item, request) => {
      const params = item.type === 'divider' ? {} : item.routeParams
      const answer = ask(
        'generatePath',
        () => policies.generatePath?.(routeName, params, request),
        isTextOrNull,
      )
      return answer
    },
  }
}

const NEEDED = {
  resolveMenuCode: 'the code of a menu, a text',
  resolveViewer: '{ id, permissions }: id a text, a number or null, permissions a list of texts',
}

/** A promise that nobody awaits must not end the process when it is rejected. */
function passOver(answer: unknown): void {
  try {
    if (answer instanceof Promise) Promise.prototype.then.call(answer, undefined, () => {})
  } catch {
    // What cannot even be looked at is no promise.
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
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer) || answer instanceof Promise)
      return ''
    const missing = ['id', 'permissions']
      .filter((name) => !(name in answer))
      .map((name) => `, without ${name}`)
    const { id, permissions } = answer as Record<string, unknown>
    const wrong: string[] = []
    if ('id' in answer && !isId(id)) wrong.push(`id is ${toKind(id)}`)
    if (Array.isArray(permissions)) {
      const place = permissions.findIndex((each) => !isText(each))
      if (place !== -1) wrong.push(`permissions[${place}] is ${toKind(permissions[place])}`)
    } else if ('permissions' in answer) wrong.push(`permissions is ${toKind(permissions)}`)
    return missing.join('') + (wrong.length > 0 ? `, where ${wrong.join(' and ')}` : '')
  } catch {
    return ''
  }
}

function toKind(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
}
