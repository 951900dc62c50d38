import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listening } from './listening.js'
import { gitIn } from './repository.js'
import { closing } from './test.js'

/**
 * A host with a real git repository over HTTP, and an API of pull requests that replays answers. They have the members, and for
 * each refusal the status and the words, that the hosts document: GitHub's OpenAPI description (version 2022-11-28), GitLab's
 * "Merge requests API" (v4) and the Swagger file of Gitea 1.23, which Forgejo shares. Nothing here was run against the hosts.
 */
export interface ReplayedHost {
  /** The address of the repository. */
  readonly remote: string
  /** The base address of the host. */
  readonly url: string
  readonly tokenFile: string
  readonly pulls: HostPull[]
  /** The calls of the API that came, such as `GET /repos/shop/site/pulls?state=open`. */
  readonly calls: string[]
  /** Answers calls of the API in place of the host, while it is set. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void) | null
}

/** A pull request as a test sees it. */
export interface HostPull {
  readonly number: number
  readonly branch: string
  readonly title: string
  readonly text: string
  readonly into: string
  state: 'open' | 'closed' | 'merged'
  comments: number
  /** Whether its branch is in another repository. */
  readonly isFork?: boolean
}

export type HostKind = 'github' | 'gitlab' | 'gitea' | 'forgejo'

export const TOKEN = 'host-token-1234567890'
const PROJECT = 'shop/site'
const API = { github: '/api/v3', gitlab: '/api/v4', gitea: '/api/v1', forgejo: '/api/v1' }

/** Serves a bare repository, and its pull requests as this kind of host does, until the test is over. */
export async function replayHost(kind: HostKind, bare: string): Promise<ReplayedHost> {
  const folder = mkdtempSync(join(tmpdir(), 'menuscript-host-'))
  closing({ close: () => rmSync(folder, { recursive: true, force: true }) })
  const tokenFile = join(folder, 'token')
  writeFileSync(tokenFile, `${TOKEN}\n`)
  gitIn(bare, 'config', 'http.receivepack', 'true')
  const url = await listening((request, response) => {
    const { url: target = '' } = request
    if (!target.startsWith(API[kind])) return serveGit(bare, request, response)
    host.calls.push(`${request.method} ${decodeURIComponent(target.slice(API[kind].length))}`)
    if (host.instead !== null) return host.instead(request, response)
    const scheme = kind === 'github' || kind === 'gitlab' ? 'Bearer' : 'token'
    if (request.headers.authorization !== `${scheme} ${TOKEN}`)
      return send(response, 401, { message: 'Bad credentials' })
    readBody(request).then((body) => answer(host, kind, bare, request, body, response))
  })
  const host: ReplayedHost = {
    ...{ remote: `${url}/${PROJECT}.git`, url, tokenFile, pulls: [], calls: [], instead: null },
  }
  return host
}

function answer(
  host: ReplayedHost,
  kind: HostKind,
  bare: string,
  { url = '', method }: IncomingMessage,
  body: Readonly<Record<string, string>>,
  response: ServerResponse,
): undefined {
  const { pathname, searchParams } = new URL(url, 'http://host')
  const home =
    kind === 'gitlab' ? `/projects/${encodeURIComponent(PROJECT)}/merge_requests` : `/repos/${PROJECT}/pulls`
  const shown = (pull: HostPull, isDetail: boolean): object => SHAPES[kind](host, bare, pull, isDetail)
  if (pathname === `${API[kind]}${home}` && method === 'POST') {
    const [branch = '', into = '', text = ''] =
      kind === 'gitlab'
        ? [body['source_branch'], body['target_branch'], body['description']]
        : [body['head'], body['base'], body['body']]
    const known = host.pulls.find((pull) => pull.branch === branch && pull.state === 'open')
    if (known !== undefined) return send(response, ...EXISTING[kind](known))
    const { title = '' } = body
    const pull: HostPull = {
      ...{ number: host.pulls.length + 1, branch, into, title, text, state: 'open', comments: 0 },
    }
    host.pulls.push(pull)
    return send(response, 201, shown(pull, true))
  }
  if (pathname === `${API[kind]}${home}`) {
    const wanted = searchParams.get('state')
    const found = host.pulls.filter(({ state }) => {
      if (kind === 'gitlab') return (state === 'open' ? 'opened' : state) === wanted
      return (state === 'open' ? 'open' : 'closed') === wanted
    })
    return send(
      response,
      200,
      found.map((pull) => shown(pull, false)),
    )
  }
  const one = host.pulls.find(({ number }) => pathname === `${API[kind]}${home}/${number}`)
  if (one === undefined) return send(response, 404, { message: 'Not Found' })
  send(response, 200, shown(one, true))
}

type Shape = (host: ReplayedHost, bare: string, pull: HostPull, isDetail: boolean) => object

function commitOf(bare: string, branch: string): string {
  return gitIn(bare, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`)
}

const github: Shape = ({ url }, bare, pull, isDetail) => ({
  url: `${url}/api/v3/repos/${PROJECT}/pulls/${pull.number}`,
  id: pull.number,
  html_url: `${url}/${PROJECT}/pull/${pull.number}`,
  number: pull.number,
  state: pull.state === 'open' ? 'open' : 'closed',
  locked: false,
  title: pull.title,
  user: { login: 'menuscript-bot', id: 1, type: 'Bot' },
  body: pull.text,
  draft: false,
  merged_at: pull.state === 'merged' ? '2026-01-26T19:01:12Z' : null,
  head: {
    label: `shop:${pull.branch}`,
    ref: pull.branch,
    sha: commitOf(bare, pull.branch),
    repo: { id: 1, full_name: pull.isFork ? 'someone/site' : PROJECT },
  },
  base: { label: 'shop:main', ref: pull.into, sha: '', repo: { id: 1, full_name: PROJECT } },
  ...(isDetail && { comments: pull.comments - 1, review_comments: 1, mergeable: true, commits: 1 }),
})

const gitlab: Shape = ({ url }, bare, pull) => ({
  id: 100 + pull.number,
  iid: pull.number,
  project_id: 3,
  title: pull.title,
  description: pull.text,
  state: pull.state === 'open' ? 'opened' : pull.state,
  target_branch: pull.into,
  source_branch: pull.branch,
  user_notes_count: pull.comments,
  author: { id: 1, name: 'Menuscript', username: 'project_3_bot', state: 'active' },
  source_project_id: pull.isFork ? 4 : 3,
  target_project_id: 3,
  draft: false,
  merge_status: 'can_be_merged',
  detailed_merge_status: 'mergeable',
  sha: commitOf(bare, pull.branch),
  web_url: `${url}/${PROJECT}/-/merge_requests/${pull.number}`,
  has_conflicts: false,
})

const gitea: Shape = ({ url }, bare, pull) => ({
  id: 100 + pull.number,
  number: pull.number,
  html_url: `${url}/${PROJECT}/pulls/${pull.number}`,
  user: { id: 1, login: 'menuscript-bot' },
  title: pull.title,
  body: pull.text,
  state: pull.state === 'open' ? 'open' : 'closed',
  comments: pull.comments,
  draft: false,
  mergeable: true,
  merged: pull.state === 'merged',
  head: {
    label: pull.branch,
    ref: pull.state === 'merged' ? `refs/pull/${pull.number}/head` : pull.branch,
    sha: commitOf(bare, pull.branch),
    repo_id: pull.isFork ? 8 : 7,
  },
  base: { label: pull.into, ref: pull.into, sha: '', repo_id: 7 },
})

const SHAPES: Readonly<Record<HostKind, Shape>> = { github, gitlab, gitea, forgejo: gitea }

/** What each says of a second pull request from a branch. */
const EXISTING: Readonly<Record<HostKind, (known: HostPull) => readonly [status: number, value: object]>> = {
  github: ({ branch }) => {
    const message = `A pull request already exists for shop:${branch}.`
    const errors = [{ resource: 'PullRequest', code: 'custom', message }]
    return [422, { message: 'Validation Failed', errors, status: '422' }]
  },
  gitlab: ({ number }) => [
    409,
    { message: [`Another open merge request already exists for this source branch: !${number}`] },
  ],
  gitea: () => [409, { message: 'pull request already exists for these targets', url: '' }],
  forgejo: () => [409, { message: 'pull request already exists for these targets', url: '' }],
}

function send(response: ServerResponse, status: number, value: object): undefined {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, string>>> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>)
}

/** Git over HTTP (git-http-backend), for those who send the token as a password. */
function serveGit(bare: string, request: IncomingMessage, response: ServerResponse): undefined {
  const basic = Buffer.from(`x-access-token:${TOKEN}`).toString('base64')
  if (request.headers.authorization !== `Basic ${basic}`) {
    response.writeHead(401).end()
    return
  }
  const { pathname, search } = new URL(request.url ?? '', 'http://host')
  const { 'content-type': type = '', 'content-encoding': encoding = '' } = request.headers
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: dirname(bare),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname.replace(`/${PROJECT}.git`, `/${bare.slice(dirname(bare).length + 1)}`),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? '',
      CONTENT_TYPE: type,
      HTTP_CONTENT_ENCODING: encoding,
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'bot',
    },
  })
  request.pipe(backend.stdin)
  const parts: Buffer[] = []
  backend.stdout.on('data', (part: Buffer) => parts.push(part))
  backend.on('close', () => {
    const all = Buffer.concat(parts)
    const end = all.indexOf('\r\n\r\n')
    const heads = all.toString('latin1', 0, end).split('\r\n')
    const status = heads.find((line) => line.startsWith('Status: '))?.slice(8, 11) ?? '200'
    for (const line of heads) {
      const [name = '', value = ''] = line.split(/: (.*)/)
      if (name !== 'Status') response.setHeader(name, value)
    }
    response.writeHead(Number(status)).end(all.subarray(end + 4))
  })
}
