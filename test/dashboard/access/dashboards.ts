import { scryptSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadConfig } from '../../../src/config/load-config.js'
import { type Access, openAccess } from '../../../src/dashboard/access/access.js'
import { toNextPath } from '../../../src/dashboard/access/next-path.js'
import { needToken } from '../../../src/dashboard/access/same-origin.js'
import { Refusal } from '../../../src/dashboard/refusal.js'
import type { Policies, Role } from '../../../src/service/hooks.js'
import { answerFailure } from '../../../src/web/failure.js'
import { sendJson, sendProblem } from '../../../src/web/problem-json.js'
import { createEventLog, type LoggedEvent } from '../../service/services.js'
import { get, type HttpAnswer, type HttpOptions } from '../../support/http.js'
import { createMenusFolder, type MenusFolder } from '../../support/menus-folder.js'
import { closing } from '../../support/test.js'

export const TOKEN = 'an-admin-token-of-thirty-two-characters'
export const PASSWORD = 'correct horse battery'
export const PREFIX = '/admin/menus'

/** A line of a users file, with a hash of PASSWORD that costs a hundredth of what ours cost. */
export function userLine(
  name: string,
  role: Role = 'edit',
  epoch: number = 1,
  password: string = PASSWORD,
): string {
  const salt = Buffer.from('sixteen bytes ..')
  const key = scryptSync(password, salt, 32, { N: 2 ** 10, r: 8, p: 1 })
  const [a, b] = [salt, key].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `${name} ${role} ${epoch} $scrypt$ln=10,r=8,p=1$${a}$${b}\n`
}

export interface DashboardOptions {
  readonly config?: Readonly<Record<string, unknown>>
  /** The text of the users file; null for none. */
  readonly users?: string | null
  readonly policies?: Policies
  readonly adminToken?: string | null
  readonly isMounted?: boolean
}

/** The least that a dashboard is: its doors, a page that shows who asks, and one thing to write. */
export interface Dashboard {
  readonly url: string
  readonly host: string
  readonly folder: MenusFolder
  readonly access: Access
  /** Opens the same again, as a restart does. */
  readonly reopen: () => Access
  readonly events: readonly LoggedEvent[]
  /** What was written, by whom. */
  readonly written: readonly string[]
  /** Moves the clock by milliseconds. */
  readonly wait: (milliseconds: number) => void
  readonly ask: (path: string, options?: HttpOptions) => Promise<HttpAnswer>
  /** Sends a form as a page of the dashboard would. */
  readonly post: (
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<HttpAnswer>
  /** Signs in and gives the Cookie header for it. */
  readonly signIn: (name?: string, password?: string) => Promise<string>
  readonly close: () => void
}

export async function openDashboard({
  config = {},
  users = userLine('ana') + userLine('vic', 'view'),
  policies = {},
  adminToken = TOKEN,
  isMounted = false,
}: DashboardOptions = {}): Promise<Dashboard> {
  const folder = createMenusFolder({ 'menuscript.config.json': JSON.stringify(config) })
  if (users !== null) folder.write('.menuscript/users', users)
  const loaded = await loadConfig({ folder: folder.dir, file: null, environment: {}, flags: {} })
  const { log, events } = createEventLog()
  let later = 0
  const now = () => Date.now() + later
  const inputs = { policies, adminToken, isMounted, log, now }
  const reopen = () => {
    const { value, fault } = openAccess(loaded, inputs)
    if (value === null || loaded.problems.length > 0)
      throw new Error(JSON.stringify([fault, loaded.problems]))
    return value
  }
  const access = reopen()
  const written: string[] = []
  const server = createServer((request, response) => {
    answer(access, written, request, response).catch((thrown: unknown) =>
      thrown instanceof Refusal
        ? sendProblem(request, response, thrown.problem)
        : answerFailure(log, request, response, thrown),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `http://${host}`
  const ask: Dashboard['ask'] = (path, options) => get(url, { target: path, ...options })
  const post: Dashboard['post'] = (path, fields, headers = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  const signIn = async (name = 'ana', password = PASSWORD) => {
    const { status, headers, text } = await post(`${PREFIX}/sign-in`, { name, password })
    if (status !== 303) throw new Error(`${status} ${text}`)
    return (headers['set-cookie'] ?? '').split(';')[0] ?? ''
  }
  const close = () => {
    server.close()
    folder.close()
  }
  const wait = (milliseconds: number) => {
    later += milliseconds
  }
  return { url, host, folder, access, reopen, events, written, wait, ask, post, signIn, close }
}

/** Opens one that is closed after the test. */
export async function openForTest(options: DashboardOptions = {}): Promise<Dashboard> {
  return closing(await openDashboard(options))
}

async function answer(
  access: Access,
  written: string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const fields = new URLSearchParams(await readBody(request))
  const path = (request.url ?? '').replace(/^https?:\/\/[^/]*/, '')
  const goOn = (...cookies: string[]) => {
    const location = toNextPath(fields.get('next'), PREFIX)
    response.writeHead(303, { location, 'set-cookie': cookies }).end()
  }
  if (path === `${PREFIX}/sign-in`) {
    const link = fields.get('link')
    const { cookies } = await (link === null
      ? access.signIn.byPassword(request, fields.get('name') ?? '', fields.get('password') ?? '')
      : access.signIn.byLink(request, link))
    return goOn(...cookies)
  }
  const isWrite = path === `${PREFIX}/write`
  const operator = await access.operatorOf(request, isWrite ? 'edit' : 'view')
  const field = fields.get('csrf')
  if (isWrite) needToken(request, operator.csrf, field)
  if (path === `${PREFIX}/sign-out`) return goOn(await access.signIn.out(request, operator, field))
  if (isWrite) written.push(operator.id)
  if (operator.cookie !== null) response.setHeader('set-cookie', operator.cookie)
  sendJson(request, response, operator)
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
