import type { ValidateFunction } from 'ajv'
import type { Limits } from '../../model/limits.js'
import type { Role } from '../../service/hooks.js'
import type { Access } from '../access/access.js'
import type { Workspace } from '../deeds/workspace.js'
import type { ProblemCode } from '../refusal.js'
import type { BodyTypes } from '../schemas.js'
import { VALIDATORS } from '../validators.js'
import type { Call, Reply } from './call.js'
import type { ParameterName } from './parameters.js'

/** What deeds are done with. */
export interface Deps {
  readonly access: Access
  readonly workspace: Workspace
}

/** What a client has to know of one method of one path, and what is done. */
interface Row<Kind> {
  readonly says: string
  /** Parameters of the query. Every route accepts `dry_run`; one without a dry run refuses it. */
  readonly query?: readonly ParameterName[]
  /** Request headers. `Idempotency-Key` is one of every request that writes for an operator. */
  readonly headers?: readonly ('If-Match' | 'If-None-Match')[]
  /** Bytes of its body. Default: enough for one menu. */
  readonly maxBytes?: (limits: Limits) => number
  /** Each status of success with the schema of its JSON; null for another form, or none. */
  readonly gives: Readonly<Record<number, string | null>>
  /** What can go wrong besides what can with every request of its kind. */
  readonly problems?: readonly ProblemCode[]
  /** Whether it has no dry run, because it writes no menu: asked for one, it does nothing. */
  readonly isNeverDry?: boolean
  /** Whether it writes nothing, whatever its method: a repeat is answered anew. */
  readonly isRead?: boolean
  readonly run: (deps: Deps, call: Kind) => Reply | Promise<Reply>
}

/** How a body is read. */
interface BodyForm {
  readonly types: readonly string[]
  /** The schema of its JSON in the description; null for another text. */
  readonly schema: string | null
  /** Null where the deed reads the text itself. */
  readonly validate: ValidateFunction | null
}

export interface Route extends Row<Call> {
  /** Null for anyone, with no operator then. */
  readonly role: Role | null
  /** Null where it has none. */
  readonly body: BodyForm | null
}

const JSON_TYPES = ['application/json']

/** A route whose request has no body. */
export function bare(role: Role, row: Row<Call>): Route {
  return { ...row, role, body: null }
}

/** A route whose body is validated JSON. */
export function json<Name extends keyof BodyTypes>(
  role: Role | null,
  name: Name,
  row: Row<Call<BodyTypes[Name]>>,
): Route {
  const types = name === 'Patch' ? ['application/json-patch+json', ...JSON_TYPES] : JSON_TYPES
  const validate = VALIDATORS[name] ?? null
  return { ...row, role, body: { types, schema: name, validate } } as Route
}

/** A route whose deed reads the text of the body, of these media types. */
export function raw(
  role: Role,
  { types = JSON_TYPES, schema }: { readonly types?: readonly string[]; readonly schema: string | null },
  row: Row<Call<string>>,
): Route {
  return { ...row, role, body: { types, schema, validate: null } } as Route
}
