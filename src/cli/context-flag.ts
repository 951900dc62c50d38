import { isScalar } from '../model/context.js'
import type { Context } from '../model/menu.js'
import { toReason } from '../service/log.js'

/** The context that `--context` gives as JSON, `{}` for none; a text says what is wrong with it. */
export function readContext(text: string): Context | string {
  const example = `write it like --context '{"partnerId": 3}'`
  let value: unknown
  try {
    value = text === '' ? {} : JSON.parse(text)
  } catch (thrown) {
    return `--context is not JSON (${toReason(thrown)}); ${example}`
  }
  const values = typeof value === 'object' && !Array.isArray(value) ? Object.values(value ?? {}) : []
  if (values.some((each) => typeof each === 'number' && !isScalar(each))) {
    return '--context has a number beyond ±(2^53−1), which is not exact: quote it as a string'
  }
  const isFlat =
    typeof value === 'object' && !Array.isArray(value) && Object.values(value ?? {}).every(isScalar)
  return isFlat
    ? ((value ?? {}) as Context)
    : `--context must be a flat object of texts, numbers and booleans; ${example}`
}
