import { renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../support/eventually.js'
import { figure, SEED, sized } from '../../support/figures.js'
import { get } from '../../support/http.js'
import { createHub, type Hub } from '../../support/hub.js'
import { createRandom, type Random } from '../yaml/random.js'
import { type Operate, operatorOf, type Replica, withFleet } from './fleet.js'
import { historyOf } from './history.js'

const MENUS = 8
const ITEMS = 6
const OPERATORS = 8
const EDITS = sized(24, 1_000)
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
    const commit = await publish(operate, file, operation)
    if (commit !== undefined) edits.push({ user, item: `${pathOf(menu)} ${id}`, label, commit })
  }
  return edits
}

/** The commit of an edit; null where it is not known what became of it, undefined where it was refused. */
async function publish(
  operate: Operate,
  file: string,
  operation: object,
): Promise<string | null | undefined> {
  for (;;) {
    const opened = await operate('POST', `/drafts?file=${file}`)
    const id = opened?.value['id']
    if (typeof id !== 'string') {
      await sleep(100)
      continue
    }
    const changed = await operate('PATCH', `/drafts/${id}`, [operation])
    // Another replica does not know of the draft yet, or died.
    if (changed === null || changed.status !== 200) {
      if (changed !== null && changed.status === 422) return undefined
      // It may have been kept: whoever resumes the draft publishes it.
      return changed === null ? null : undefined
    }
    for (let tries = 0; tries < 200; tries++) {
      const published = await operate('POST', `/drafts/${id}/publish`)
      if (published === null) return null
      if (published.status === 200)
        return (
          String((published.value['commit'] as { readonly commit?: string } | null)?.commit ?? '') || null
        )
      if (published.status === 503 || published.status === 423) await sleep(100)
      else {
        await operate('DELETE', `/drafts/${id}`)
        // The draft is at another replica, which may publish it later.
        return published.status === 404 ? null : undefined
      }
    }
    return null
  }
}

/** A colleague who commits with git alone, whatever the services do. */
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
      edits.push({ user: 'Committer', item: `${pathOf(menu)} ${id}`, label, commit })
    } catch {
      // The hub is away, or a service pushed first.
    }
    await sleep(sized(100, 500))
  }
  return edits
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
  await withFleet(hub, { count: 3 }, async (url, replicas) => {
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
    const known = edits.filter(({ commit }) => commit !== null)
    const lost = known.filter(
      ({ user, item, label, commit }) => introduced.get(label)?.[0] !== `${commit} ${user} ${item}`,
    )
    const doubled = edits.filter(({ label }) => (introduced.get(label)?.length ?? 0) > 1)
    const gone = steps.flatMap(({ changes }) => [...changes].filter(([, label]) => label === null))
    const unknown = edits.length - known.length
    figure(
      'three services on one repository',
      `${EDITS} edits, ${known.length} acknowledged, ${unknown} without an answer, ${steps.length} commits, ` +
        `${kills} services and ${gits} times git killed, ${Math.round(seconds)} s`,
      'no goal',
    )
    assert.equal([lost, doubled, gone], [[], [], []], `seed ${SEED}`)
    assert.ok(known.length > EDITS / 2, `${known.length} of ${EDITS} acknowledged`)

    // Within seconds of quiet, all serve the same bytes, and those are what the history ends with.
    const quiet = performance.now()
    const final = new Map<string, string>()
    for (const { changes } of steps)
      for (const [item, label] of changes) if (label !== null) final.set(item, label)
    for (let menu = 0; menu < MENUS; menu++) {
      const labels = [...final]
        .filter(([item]) => item.startsWith(`${pathOf(menu)} `))
        .map(([, label]) => label)
      await eventually(async () => {
        const answers = await Promise.all(replicas.map((each) => get(`${each.url}/api/menu/${codeOf(menu)}`)))
        for (const answer of answers) {
          assert.equal((answer.json() as { label: string }[]).map(({ label }) => label).sort(), labels.sort())
          assert.is(answer.text, answers[0]?.text)
        }
      })
    }
    figure('until all serve the same', `${Math.round(performance.now() - quiet)} ms`, 'at most 5 s')
  })
  hub.close()
})

test.run()
