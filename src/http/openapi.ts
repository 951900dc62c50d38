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

const STATUS = { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } }

const READINESS = {
  type: 'object',
  required: ['status', 'revision', 'files', 'menus', 'errors', 'warnings', 'stale'],
  properties: {
    status: { enum: ['ok', 'degraded', 'stopping'] },
    revision: { type: 'string' },
    files: { type: 'integer' },
    menus: { type: 'integer' },
    errors: { type: 'integer' },
    warnings: { type: 'integer' },
    stale: { type: 'integer', description: 'Files whose last good version is served.' },
    version: { type: 'string', description: 'Of the service. Only for insiders, as `problems`.' },
    problems: {
      type: 'array',
      description:
        'Only for clients on the same machine, under a local name and through no proxy, and for the admin token.',
      items: { type: 'object' },
    },
  },
}

/** RFC 9457. */
const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', description: 'A permanent name.' },
    detail: { type: 'string' },
    parameter: { type: 'string', description: 'The parameter that is meant.' },
    position: { type: 'integer', description: 'Where in it the problem begins, in characters.' },
    pointer: { type: 'string', description: 'JSON Pointer to the member that is meant.' },
  },
}

function treeNode(extraMembers: readonly ExtraMember[]): unknown {
  const extras = {
    id: { type: ['string', 'null'] },
    attributes: { type: ['object', 'null'], additionalProperties: { type: ['string', 'boolean'] } },
  }
  return {
    type: 'object',
    additionalProperties: false,
    required: ['label', 'href', 'routeName', 'icon', 'itemType', 'children', ...extraMembers],
    properties: {
      label: { type: 'string', description: 'Plain text: escape it before it goes into HTML.' },
      href: { type: 'string', description: '`#` where the item leads nowhere.' },
      routeName: { type: ['string', 'null'] },
      icon: { type: ['string', 'null'] },
      itemType: { enum: ['link', 'section', 'divider'] },
      children: { type: 'array', items: { $ref: '#/components/schemas/TreeNode' } },
      ...Object.fromEntries(extraMembers.map((member) => [member, extras[member]])),
    },
  }
}

function menuPath({ limits, locales: { locales } }: Settings): unknown {
  const parameters = [
    {
      name: 'code',
      in: 'path',
      required: true,
      description: 'The code of the menu.',
      schema: { type: 'string' },
    },
    {
      name: '_locale',
      in: 'query',
      description: `A BCP 47 tag, looked up in ${locales.join(', ')}. Without it: Accept-Language.`,
      schema: { type: 'string' },
    },
    {
      name: '_context_sets',
      in: 'query',
      description: 'Contexts in the order of preference; the first that a menu has is served.',
      content: {
        'application/json': {
          schema: {
            type: ['array', 'null'],
            maxItems: limits.context_sets,
            items: {
              type: ['object', 'array', 'null'],
              maxProperties: limits.context_keys,
              additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
              maxItems: 0,
            },
          },
          example: [{ partnerId: 3 }, {}],
        },
      },
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
  return { description, schema: { type: 'string' } }
}
