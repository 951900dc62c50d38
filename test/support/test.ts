import { type Callback, type Test, test as uvu } from 'uvu'

const closers: (() => unknown)[] = []

/** Has something closed behind the test that opens it, whether that passes or fails: what was opened last goes first. */
export function closing<Opened extends { readonly close: () => unknown }>(opened: Opened): Opened {
  closers.push(opened.close)
  return opened
}

/** The `test` of uvu, behind which all is closed that was opened by `closing`. */
export const test: Test = Object.assign((title: string, run: Callback) => {
  uvu(title, async (context) => {
    try {
      await run(context)
    } catch (failure) {
      await closeAll().catch(() => {})
      throw failure
    }
    await closeAll()
  })
}, uvu)

async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}
