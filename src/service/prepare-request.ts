import { HookError, type MenuRequest, type Policies } from './hooks.js'
import { toReason } from './log.js'

/** Milliseconds for which a request waits for its preparation; the server would end it a little later without a word. */
const PREPARE_MS = 10_000

/** Awaits the hook `prepareRequest`, at most for 10 seconds. Throws HookError when it fails. */
export async function prepareRequest(policies: Policies, request: MenuRequest): Promise<void> {
  const { prepareRequest: prepare } = policies
  if (prepare === undefined) return
  try {
    // In a function of its own, so that a hook that throws at once is caught, too.
    await within(PREPARE_MS, (async () => prepare(request))())
  } catch (thrown) {
    throw new HookError('prepareRequest', toReason(thrown))
  }
}

/** A promise, or an error after so many milliseconds. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} seconds`)), ms)
    promise.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
