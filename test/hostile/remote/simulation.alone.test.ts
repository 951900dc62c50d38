import { existsSync, renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { findOrInstall } from '../../support/apt.js'
import { eventually } from '../../support/eventually.js'
import { figure, LONG, SEED, sized } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { createHub, type Hub } from '../../support/hub.js'
import { gitIn } from '../../support/repository.js'
import { createRandom, type Random } from '../yaml/random.js'
import { type Operate, operatorOf, type Replica, withFleet } from './fleet.js'
import { historyOf } from './history.js'

const MENUS = 8
const ITEMS = 6
const OPERATORS = 8
/** Edits, and of these the proposals. */
const EDITS = sized(24, 1_200)
const PROPOSED_EVERY = 6
const BY_HAND = sized(4, 60)
const AWAY_MS = sized(2_000, 60_000)
const KILL_EVERY_MS = sized(2_000, 5_000)

const codeOf = (menu: number): string => `menu-${menu}`
const pathOf = (menu: number): string => `menus/${codeOf(menu)}.yaml`

function menuText(menu: number): string {
  const items = Array.from(
    { length: ITEMS },
    (_, at) => `  - id: i${at}\n    label: Item ${at}\n    url: /${at}\n`,
  )
  return `version: 1\ncode: ${codeOf(menu)}\nname: Menu ${menu}\nitems:\n${items.join('')}`
}

/** An edit: an item gets a label that nothing else ever has. */
interface Edit {
  readonly user: string
  readonly item: string
  readonly label: string
  /** The commit that the service named; null where no answer came. */
  readonly commit: string | null
  readonly isProposal: boolean
}

/** What an operator does until the edits are used up; answers those that were acknowledged, or may have been made. */
async function operate(
  operate: Operate,
  user: string,
  { below }: Random,
  next: () => number | null,
): Promise<readonly Edit[]> {
  const edits: Edit[] = []
  for (let number = next(); number !== null; number = next()) {
    const menu = below(MENUS)
    const file = `${codeOf(menu)}.yaml`
    const label = `${user} ${number}`
    const isNew = below(2) === 0
    const at = below(ITEMS)
    const id = isNew ? `n${number}` : `i${at}`
    const operation = isNew
      ? { op: 'add', path: '/items/-', value: { id, label, url: '/new' } }
      : { op: 'replace', path: `/items/${at}/label`, value: label }
    const isProposal = number % PROPOSED_EVERY === 0
    const commit = await publish(operate, file, operation, isProposal ? label : null)
    if (commit !== undefined) edits.push({ user, item: `${pathOf(menu)} ${id}`, label, commit, isProposal })
  }
  return edits
}

/**
 * Publishes an edit, or proposes it under a title. The commit; null where it is not known what became of it, undefined where
 * it was refused.
 */
async function publish(
  operate: Operate,
  file: string,
  operation: object,
  title: string | null,
): Promise<string | null | undefined> {
  let id: unknown
  while (typeof id !== 'string') {
    id = (await operate('POST', `/drafts?file=${file}`))?.value['id']
    if (typeof id !== 'string') await sleep(100)
  }
  const changed = await operate('PATCH', `/drafts/${id}`, [operation])
  // The step may have been kept. The next publish of the draft then includes it.
  if (changed === null) return null
  if (changed.status !== 200) return undefined
  for (let tries = 0; tries < 200; tries++) {
    const [action, body] = title === null ? ['publish', undefined] : ['propose', { title }]
    const sent = await operate('POST', `/drafts/${id}/${action}`, body)
    if (sent === null) return null
    const { status, value } = sent
    if (status < 300) {
      const commit =
        title === null ? (value['commit'] as { readonly commit?: unknown } | null)?.commit : value['commit']
      return typeof commit === 'string' ? commit : null
    }
    if (status !== 503 && status !== 423) {
      await operate('DELETE', `/drafts/${id}`)
      // The draft may be at another replica.
      return status === 404 ? null : undefined
    }
    await sleep(100)
  }
  return null
}

/** A colleague who commits and merges proposals with git alone, whatever the services do. */
async function byHand(hub: Hub, { below }: Random, isOver: () => boolean): Promise<readonly Edit[]> {
  const edits: Edit[] = []
  for (let number = 0; number < BY_HAND && !isOver(); number++) {
    const menu = below(MENUS)
    const id = `h${number}`
    try {
      const text = hub.textOf(pathOf(menu))
      const label = `by hand ${number}`
      const commit = hub.push({
        [pathOf(menu)]: `${text}  - id: ${id}\n    label: ${label}\n    url: /hand\n`,
      })
      edits.push({ user: 'Committer', item: `${pathOf(menu)} ${id}`, label, commit, isProposal: false })
      mergeOne(hub)
    } catch {
      // The hub is away, or a service pushed first.
    }
    await sleep(sized(100, 500))
  }
  return edits
}

/** Merges one of the proposals into `main` as a developer does, if git can. */
function mergeOne(hub: Hub): void {
  const [branch = ''] = hub
    .git('for-each-ref', '--no-merged=main', '--format=%(refname)', 'refs/heads/menus')
    .split('\n')
  if (branch === '') return
  gitIn(hub.work, 'fetch', '--quiet', 'origin', 'main', branch)
  gitIn(hub.work, 'reset', '--hard', '--quiet', hub.git('rev-parse', 'main'))
  try {
    gitIn(
      hub.work,
      'merge',
      '--quiet',
      '--no-ff',
      '--message',
      'Merged by hand',
      hub.git('rev-parse', branch),
    )
    gitIn(hub.work, 'push', '--quiet', 'origin', 'HEAD:main')
  } catch {
    gitIn(hub.work, 'reset', '--hard', '--quiet')
  }
}

/** Kills services and their git now and then, and takes the hub away once. */
async function disturb(hub: Hub, replicas: readonly Replica[], random: Random, isOver: () => boolean) {
  let [kills, gits] = [0, 0]
  const away = async (): Promise<void> => {
    await sleep(KILL_EVERY_MS)
    renameSync(hub.url, `${hub.url}.away`)
    await sleep(AWAY_MS)
    renameSync(`${hub.url}.away`, hub.url)
  }
  const kill = async (): Promise<void> => {
    while (!isOver()) {
      await sleep(KILL_EVERY_MS)
      const replica = random.pick(replicas)
      if (random.below(2) === 0) {
        replica.killGit()
        gits++
        continue
      }
      replica.kill()
      kills++
      await eventually(replica.start, { within: AWAY_MS + 60_000, every: 200 })
    }
  }
  await Promise.all([away(), kill()])
  return { kills, gits }
}

/** In the long run, the second service believes that it is three hours later. */
function clockOf(place: number): Readonly<Record<string, string>> {
  if (!LONG || place !== 1) return {}
  const library = findOrInstall(() => FAKE_TIME.find((path) => existsSync(path)) ?? null, 'faketime')
  if (library === null) throw new Error('There is no libfaketime to test with: apt-get install faketime')
  return { LD_PRELOAD: library, FAKETIME: '+3h', FAKETIME_DONT_RESET: '1' }
}

const FAKE_TIME = ['x86_64', 'aarch64'].map((kind) => `/usr/lib/${kind}-linux-gnu/faketime/libfaketime.so.1`)

/** Whether a proposed commit is in some branch of the hub, and has its label. */
function hasLabel(hub: Hub, commit: string, item: string, label: string): boolean {
  const [path = '', id = ''] = item.split(' ')
  const { items } = parse(hub.git('show', `${commit}:${path}`)) as { items: { id: string; label: string }[] }
  const isKept = hub.git('for-each-ref', `--contains=${commit}`, 'refs/heads') !== ''
  return isKept && items.filter((each) => each.id === id && each.label === label).length === 1
}

/** A visitor, who gets each menu through nginx whatever happens behind it. */
async function visit(url: string, { below }: Random, isOver: () => boolean) {
  let [visits, failed] = [0, 0]
  for (; !isOver(); visits++) {
    const { status, text } = await get(`${url}/api/menu/${codeOf(below(MENUS))}`)
    if (status !== 200 || !text.startsWith('[{')) failed++
    await sleep(20)
  }
  return { visits, failed }
}

test('Of concurrent edits at three services on one repository, none is lost and none is doubled', async () => {
  const files = Array.from({ length: MENUS }, (_, menu) => [pathOf(menu), menuText(menu)] as const)
  const hub = createHub(Object.fromEntries(files))
  await withFleet(
    hub,
    { count: 3, config: { git: { mode: 'both' } }, environment: clockOf },
    async (url, replicas) => {
      let left = EDITS
      const next = (): number | null => (left > 0 ? left-- : null)
      let isOver = false
      const disturbed = disturb(hub, replicas, createRandom(SEED, 0), () => isOver)
      const hand = byHand(hub, createRandom(SEED, 1), () => isOver)
      const visited = visit(url, createRandom(SEED, 99), () => isOver)
      const since = performance.now()
      const users = Array.from({ length: OPERATORS }, (_, at) => `operator${at}`)
      const done = await Promise.all(
        users.map((user, at) =>
          operate(operatorOf(replicas, user, at), user, createRandom(SEED, at + 2), next),
        ),
      )
      isOver = true
      const { visits, failed } = await visited
      assert.is(failed, 0, `${failed} of ${visits} requests of visitors failed`)
      const seconds = (performance.now() - since) / 1000
      const { kills, gits } = await disturbed
      const edits = [...done.flat(), ...(await hand)]

      const steps = historyOf(hub, 'menus')
      const introduced = new Map<string, string[]>()
      for (const { commit, author, changes } of steps)
        for (const [item, label] of changes)
          if (label !== null)
            introduced.set(label, [...(introduced.get(label) ?? []), `${commit} ${author} ${item}`])
      const known = edits.filter(({ commit, isProposal }) => commit !== null && !isProposal)
      const proposals = edits.filter(({ isProposal }) => isProposal)
      const missing = proposals.filter(
        ({ item, label, commit }) => commit !== null && !hasLabel(hub, commit, item, label),
      )
      const lost = known.filter(
        ({ user, item, label, commit }) => introduced.get(label)?.[0] !== `${commit} ${user} ${item}`,
      )
      const doubled = edits.filter(({ label }) => (introduced.get(label)?.length ?? 0) > 1)
      const gone = steps.flatMap(({ changes }) => [...changes].filter(([, label]) => label === null))
      const unknown = edits.filter(({ commit }) => commit === null).length
      const merged = proposals.filter(({ label }) => introduced.has(label)).length
      figure(
        'three services on one repository',
        `${EDITS} edits, ${known.length} acknowledged, ${unknown} without an answer, ${proposals.length} proposals, ` +
          `${merged} merged by hand, ${steps.length} commits, ` +
          `${kills} services and ${gits} times git killed, ${Math.round(seconds)} s`,
        'no goal',
      )
      assert.equal([lost, doubled, gone, missing], [[], [], [], []], `seed ${SEED}`)
      assert.ok(known.length > EDITS / 6, `${known.length} of ${EDITS} acknowledged`)

      // Within seconds of quiet, all serve the same bytes, and those are what the history ends with. An edit whose operator
      // has stopped waiting for the answer may still be on its way.
      const quiet = performance.now()
      for (let menu = 0; menu < MENUS; menu++) {
        await eventually(async () => {
          const final = new Map<string, string>()
          for (const { changes } of historyOf(hub, 'menus'))
            for (const [item, label] of changes) if (label !== null) final.set(item, label)
          const labels = [...final]
            .filter(([item]) => item.startsWith(`${pathOf(menu)} `))
            .map(([, label]) => label)
          const answers = await Promise.all(
            replicas.map((each) => get(`${each.url}/api/menu/${codeOf(menu)}`)),
          )
          for (const answer of answers) {
            assert.equal(
              (answer.json() as { label: string }[]).map(({ label }) => label).sort(),
              labels.sort(),
            )
            assert.is(answer.text, answers[0]?.text)
          }
        })
      }
      figure('until all serve the same', `${Math.round(performance.now() - quiet)} ms`, 'at most 5 s')
    },
  )
  hub.close()
})

test.run()
