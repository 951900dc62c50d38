import { isList, type Json } from '../../model/json.js'
import { describeAudience, EVERYBODY, narrowBy } from './audience.js'
import type { ItemDifference } from './differences.js'
import { type DescribedChange, describeField } from './field-words.js'

/** The facts of an added item, in the order in which people ask for them; of a removed one, its destination. */
export function factsOf({ before, after, fields }: ItemDifference): readonly DescribedChange[] {
  if (after === null) return before === null || before.target === '' ? [] : [fact('led to', before.target)]
  const given = (key: string): Json | undefined => fields.find((field) => field.key === key)?.to
  const permissions = given('permissions')
  const keys = isList(permissions) ? permissions.map(String) : []
  const isAny = given('permissionMode') === 'any'
  const own = narrowBy(EVERYBODY, { permissions: keys, permissionMode: isAny ? 'any' : 'all' })
  const seenBy = describeAudience(after.viewers)
  const facts: DescribedChange[] = []
  if (after.type !== 'link') facts.push(fact('type', after.type))
  if (after.target !== '') facts.push(fact('leads to', after.target))
  for (const field of fields)
    if (field.kind === 'label' && field.part !== null) facts.push({ ...describeField(field), isFact: true })
  if (after.viewers?.length !== 0) facts.push(fact('seen by', seenBy))
  // Where nothing else decides who sees it, the keys are listed already.
  if (keys.length > 0 && describeAudience(own) !== seenBy)
    facts.push(fact('permissions', keys.join(isAny ? ' or ' : ', ')))
  const stated = ['type', 'target', 'label', 'permissions']
  for (const field of fields) {
    const { what, to } = describeField(field)
    if (!stated.includes(field.kind) && to !== null && field.to !== false) facts.push(fact(what, to))
  }
  return facts
}

function fact(what: string, value: Json | undefined): DescribedChange {
  return { what, from: null, to: String(value), isFact: true }
}
