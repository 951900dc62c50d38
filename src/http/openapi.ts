import type { ExtraMember } from '../model/tree.js'
import type { Settings } from '../service/settings.js'

/** The description of the HTTP interface (OpenAPI 3.1.0) as this deployment has it. */
export function toOpenApi(settings: Settings, version: string): Readonly<Record<string, unknown>> {
  const { api, publicUrl } = settings
  return {
    openapi: '3.1.0',
    info: {
      title: 'Menuscript',
      version,
      description: 'Navigation menus for a context, a language and a viewer.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    ...(publicUrl !== null && { servers: [{ url: publicUrl }] }),
    paths: {
      ...(api.enabled && { [`${api.path_prefix}/{code}`]: menuPath(settings) }),
      '/livez': { get: operation('livez', 'Whether the process lives', { 200: json('It does.', STATUS) }) },
      '/readyz': {
        get: operation('readyz', 'Whether menus are served, and how well', {
          200: json('They are; `degraded` where a file has errors.', READINESS),
          503: json('The service is stopping.', READINESS),
        }),
      },
      '/openapi.json': {
        get: operation('openapi', 'This description', {
          200: json('An OpenAPI 3.1 document.', { type: 'object' }),
        }),
      },
    },
    components: { schemas: { TreeNode: treeNode(api.node_members), Problem: PROBLEM } },
  }
}

const TEXT = { type: 'string' }
const COUNT = { type: 'integer' }
const TEXT_OR_NULL = { type: ['string', 'null'] }

const STATUS = object({ status: { const: 'ok' } })

const READINESS = object(
  {
    status: { enum: ['ok', 'degraded', 'stopping'] },
    revision: TEXT,
    files: COUNT,
    menus: COUNT,
    errors: COUNT,
    warnings: COUNT,
    stale: { ...COUNT, description: 'Files whose last good version is served.' },
  },
  {
    version: { ...TEXT, description: 'Of the service. Only for insiders, as `problems`.' },
    problems: {
      type: 'array',
      description:
        'Only for clients on the same machine, under a local name and through no proxy, and for the admin token.',
      items: { type: 'object' },
    },
  },
)

/** RFC 9457. */
const PROBLEM = object(
  {
    type: TEXT,
    title: TEXT,
    status: COUNT,
    code: { ...TEXT, description: 'A permanent name.' },
    detail: TEXT,
  },
  {
    parameter: { ...TEXT, description: 'The parameter that is meant.' },
    position: { ...COUNT, description: 'Where in it the problem begins, in characters.' },
    pointer: { ...TEXT, description: 'JSON Pointer to the member that is meant.' },
  },
)

function treeNode(extraMembers: readonly ExtraMember[]): unknown {
  const extras = {
    id: TEXT_OR_NULL,
    attributes: { type: ['object', 'null'], additionalProperties: { type: ['string', 'boolean'] } },
  }
  const members = {
    label: { ...TEXT, description: 'Plain text: escape it before it goes into HTML.' },
    href: { ...TEXT, description: '`#` where the item leads nowhere.' },
    routeName: TEXT_OR_NULL,
    icon: TEXT_OR_NULL,
    itemType: { enum: ['link', 'section', 'divider'] },
    children: { type: 'array', items: { $ref: '#/components/schemas/TreeNode' } },
    ...Object.fromEntries(extraMembers.map((member) => [member, extras[member]])),
  }
  return { ...object(members), additionalProperties: false }
}

function menuPath({ limits, locales: { locales } }: Settings): unknown {
  const contextSets = {
    type: ['array', 'null'],
    maxItems: limits.context_sets,
    items: {
      type: ['object', 'array', 'null'],
      maxProperties: limits.context_keys,
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
      maxItems: 0,
    },
  }
  const parameters = [
    { name: 'code', in: 'path', required: true, description: 'The code of the menu.', schema: TEXT },
    {
      name: '_locale',
      in: 'query',
      description: `A BCP 47 tag, looked up in ${locales.join(', ')}. Without it: Accept-Language.`,
      schema: TEXT,
    },
    {
      name: '_context_sets',
      in: 'query',
      description: 'Contexts in the order of preference; the first that a menu has is served.',
      content: { 'application/json': { schema: contextSets, example: [{ partnerId: 3 }, {}] } },
    },
  ]
  const tree = { type: 'array', items: { $ref: '#/components/schemas/TreeNode' } }
  const responses = {
    200: {
      description: 'The tree; `[]` when no menu matches.',
      headers: {
        ETag: header('Changes exactly when the bytes do.'),
        'Content-Language': header('The effective locale.'),
        'Menu-Version': header('The content hash of the file; absent when no menu matches.'),
      },
      content: { 'application/json': { schema: tree } },
    },
    304: { description: 'The tree has the entity tag that the client named.' },
    400: problem('The query or the code cannot be understood.'),
    405: problem('The path has GET, HEAD and OPTIONS.'),
    500: problem('A hook of the deployment failed.'),
  }
  return { parameters, get: operation('menu', 'The tree of a menu', responses) }
}

/** The schema of an object that has all of some members, and may have others. */
function object(members: object, optional: object = {}): object {
  return { type: 'object', required: Object.keys(members), properties: { ...members, ...optional } }
}

function operation(operationId: string, summary: string, responses: unknown): unknown {
  return { operationId, summary, responses }
}

function json(description: string, schema: unknown): unknown {
  return { description, content: { 'application/json': { schema } } }
}

function problem(description: string): unknown {
  const schema = { $ref: '#/components/schemas/Problem' }
  return { description, content: { 'application/problem+json': { schema } } }
}

function header(description: string): unknown {
  return { description, schema: TEXT }
}
