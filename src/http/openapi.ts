import type { Settings } from '../service/settings.js'
import description from './openapi.json' with { type: 'json' }

/** The parameters of the endpoint that depend on the settings, as they are in `openapi.json`. */
type MenuParameters = readonly [
  code: unknown,
  locale: { description: string },
  contextSets: { content: { 'application/json': { schema: { maxItems: number; items: object } } } },
]

interface NodeSchema {
  readonly required: string[]
  readonly properties: { id?: unknown; attributes?: unknown }
}

/** A part of a description that comes from elsewhere. */
export interface DescribedPaths {
  readonly paths: Readonly<Record<string, object>>
  readonly components: Readonly<Record<'schemas' | 'securitySchemes', object>>
}

/** The description of the HTTP interface (OpenAPI 3.1.0), which is in `openapi.json`, as this deployment has it. */
export function toOpenApi(
  settings: Settings,
  version: string,
  hasWebhook: boolean,
  others: DescribedPaths | null,
): Readonly<Record<string, unknown>> {
  const { api, publicUrl, limits, locales } = settings
  const { openapi, info, paths, components } = structuredClone(description)
  const { '/{code}': menu, '/-/webhook': webhook, ...pages } = paths
  const [, locale, contextSets] = menu.parameters as unknown as MenuParameters
  locale.description = `A BCP 47 tag, looked up in ${locales.locales.join(', ')}. Without it: Accept-Language.`
  const { schema } = contextSets.content['application/json']
  schema.maxItems = limits.context_sets
  Object.assign(schema.items, { maxProperties: limits.context_keys })
  const { required, properties }: NodeSchema = components.schemas.TreeNode
  for (const member of ['id', 'attributes'] as const) {
    if (api.node_members.includes(member)) required.push(member)
    else delete properties[member]
  }
  return {
    openapi,
    info: { ...info, version },
    ...(publicUrl !== null && { servers: [{ url: publicUrl }] }),
    paths: {
      ...(api.enabled && { [`${api.path_prefix}/{code}`]: menu }),
      ...pages,
      ...(hasWebhook && { '/-/webhook': webhook }),
      ...others?.paths,
    },
    components: { ...others?.components, schemas: { ...components.schemas, ...others?.components.schemas } },
  }
}
