import { toContextKey } from '../../../model/context.js'
import { directionOf } from '../../../model/direction.js'
import { fromClientIcon } from '../../../model/icon.js'
import { isList } from '../../../model/json.js'
import { labelChain } from '../../../model/locale.js'
import type { Context } from '../../../model/menu.js'
import { toPlainName } from '../../../model/plain-name.js'
import type { Snapshot } from '../../../model/snapshot.js'
import type { TreeNode } from '../../../model/tree.js'
import { escapeHtml } from '../../../render/escape.js'
import type { ExplainedItem } from '../../../service/explain/explanation.js'
import { toKeys } from '../../../service/hooks.js'
import { findEdited, isSame, ownDraft } from '../../deeds/edited-menu.js'
import { type Preview, type PreviewQuery, preview, readSets } from '../../deeds/preview.js'
import { describePermission } from '../../deeds/viewers.js'
import type { Workspace } from '../../deeds/workspace.js'
import { toDetail } from '../../forms/trouble.js'
import type { Call, Fields, Page, PageReply } from '../../page.js'
import { attempt, Refusal } from '../../refusal.js'

import type { Texts } from '../../texts/language.js'
import { plainValue } from '../menu-rows.js'

/** Items of a menu, and characters of its JSON and its HTML, that the page shows. */
const MOST_ITEMS = 2_000
const MOST_TEXT = 100_000

/** Why an item is not there although its place is, and how many of them are named. */
const REASONS = ['outside', 'denied', 'hidden'] as const
const MOST_ABSENT = 6

/** Of the frame of a menu, in CSS pixels: what it has besides its items, each of them, and the most. */
const HEIGHT = { around: 90, item: 33, most: 1_600 }

/** Contexts and permissions to choose from. The others can be typed. */
const MOST_CHOICES = 100

/** The field that a problem is about, by its code. */
const FIELDS: Readonly<Record<string, string>> = { 'bad-context-sets': 'sets', 'bad-body': 'now' }

/** What visitors get of a menu, as it is served and as a draft would make it, and why. */
export function previewPage(workspace: Workspace, style: string | null): Page {
  const { config, current, home, settings } = workspace
  const { preview_css: named } = config.options.dashboard
  // A file that cannot be read is no address.
  const css = style ?? (named?.startsWith('.') ? null : named)
  const { locales, defaultLocale } = settings.locales

  const show = async (call: Call): Promise<PageReply> => {
    const { query, t } = call
    const file = query.get('file') ?? null
    const code = query.get('code') ?? ''
    if (file === null && code === '') return { location: home }
    const snapshot = current()
    const found = snapshot.files.find(({ path }) => path === file) ?? null
    const menu = found?.menu ?? snapshot.served.get(file ?? '')?.menu ?? null
    const { context = {} } = menu ?? {}
    const contexts = query.get('sets') || (query.get('contexts') ?? toSets(context))
    const choices = toChoices(snapshot, menu?.code ?? code, t)
    const keys = toPermissions(query, file === null ? [] : await keysOf(workspace, call, file))
    const own = locales.includes(t.lang) ? t.lang : defaultLocale
    const locale = query.get('locale') || own
    const chain = labelChain(t.lang, settings.locales)
    const now = query.get('now')?.trim() ?? ''
    const subjects: Readonly<Record<string, PreviewQuery>> =
      file === null ? { live: { code } } : toSubjects(workspace, call, file)
    const viewer = { permissions: keys.held }
    const toPanels = async (): Promise<readonly object[]> => {
      const asVisitor = {
        ...{ locale, viewer, now },
        context_sets: readSets(contexts),
      }
      const panels: object[] = []
      for (const [kind, subject] of Object.entries(subjects))
        panels.push(await toPanel(kind, call, locale, { ...subject, ...asVisitor }))
      return panels
    }
    const { value: panels, fault: problem } = await attempt(toPanels)
    const field = FIELDS[problem?.code ?? ''] ?? null
    if (problem !== null && field === null) throw new Refusal(problem)
    const errors = problem === null ? [] : [{ field, text: problem.detail, isTranslated: false }]
    const model = {
      title: menu === null ? t.files.preview.title : `${t.files.preview.title}: ${menu.name}`,
      ...{ file, code, panels: panels ?? [], locales, locale, now, choices, contexts, keys },
      dir: directionOf(locale),
      iconOf: ({ icon }: TreeNode) => fromClientIcon(icon, settings.prefixes),
      sayOf: (key: string) => describePermission(settings, key, chain),
      sets: choices.some(({ value }) => value === contexts) ? '' : contexts,
    }
    return { template: 'preview', model, trouble: { problem, errors } }
  }

  /** What visitors get, or why they get nothing. */
  const toPanel = async (kind: string, call: Call, locale: string, wish: PreviewQuery): Promise<object> => {
    const { request, operator, t } = call
    const { value, fault } = await attempt(() => preview(workspace, operator, request.headers, wish, true))
    if (fault === null)
      return {
        ...{ kind, fault, ...toShown(value), frame: css === null ? null : toFrame(value, locale, css) },
        isMerged: wish.draft !== undefined && !value.isBlocked && (await isMerged(workspace, call, value)),
      }
    if (Object.hasOwn(FIELDS, fault.code) || fault.code === 'no-file') throw new Refusal(fault)
    return { kind, fault: toDetail(t, fault) }
  }
  return { role: 'view', show }
}

/** Whether the file of a draft has changed since the draft began, so that what is shown is both, merged. */
async function isMerged(workspace: Workspace, { operator }: Call, { file }: Preview): Promise<boolean> {
  if (file === null) return false
  const { value: menu } = await attempt(() => findEdited(workspace, operator, file))
  return menu !== null && menu.disk !== null && !isSame(menu.base, menu.disk)
}

/** What is compared: the draft of the operator, where it holds changes, and what is served. */
function toSubjects(
  workspace: Workspace,
  { operator }: Call,
  file: string,
): Readonly<Record<string, PreviewQuery>> {
  const draft = ownDraft(workspace, file, operator.id)
  return { ...(draft !== null && { draft: { draft: draft.id } }), live: { file } }
}

/** The value of a choice of contexts: what a site requests for a variant. */
function toSets(context: Context): string {
  return Object.keys(context).length > 0 ? JSON.stringify([context]) : ''
}

/** The contexts in which there is a menu of a code, and none. */
function toChoices(
  { files }: Snapshot,
  code: string,
  t: Texts,
): readonly { readonly value: string; readonly text: string }[] {
  const contexts = files.flatMap(({ menu }) => (menu?.code === code ? [menu.context] : []))
  const distinct = new Map([{}, ...contexts].map((context) => [toContextKey(context), context]))
  return [...distinct.values()].slice(0, MOST_CHOICES).map((context) => ({
    value: toSets(context),
    text:
      Object.entries(context)
        .map(([name, value]) => `${toPlainName(name)}: ${plainValue(String(value), t)}`)
        .join(', ') || t.files.preview.everyone,
  }))
}

/** The permissions that items of a menu need. */
async function keysOf(workspace: Workspace, { operator }: Call, file: string): Promise<readonly string[]> {
  const { value: menu } = await attempt(() => findEdited(workspace, operator, file))
  const lists = menu?.items.all.map(({ item }) => item['permissions']).filter(isList) ?? []
  const keys = new Set(lists.flat().filter((key) => typeof key === 'string'))
  return [...keys].sort().slice(0, MOST_CHOICES)
}

interface Permissions {
  /** Those to choose from. */
  readonly all: readonly { readonly key: string; readonly has: boolean }[]
  readonly held: readonly string[]
  /** Those typed that are not to choose from. */
  readonly others: string
}

/** The permissions of the visitor: those chosen among `known`, and those typed. */
function toPermissions(query: Fields, known: readonly string[]): Permissions {
  const typed = toKeys(query.get('permissions') ?? '')
  const all = known.map((key) => ({ key, has: query.has(`may:${key}`) || typed.includes(key) }))
  const others = typed.filter((key) => !known.includes(key))
  const held = [...all.flatMap(({ key, has }) => (has ? [key] : [])), ...others]
  return { all, held, others: others.join(', ') }
}

/** A page of the menu alone, in the style sheet of the site, with the drawings of its icons. */
function toFrame({ draw, config }: Preview, locale: string, css: string): string {
  const head = `<!doctype html><html lang="${escapeHtml(locale)}" dir="${directionOf(locale)}"><meta charset="utf-8">`
  const style = `<link rel="stylesheet" href="${escapeHtml(css)}">`
  // Links lead nowhere: the frame may open no window.
  return `${head}<meta name="viewport" content="width=device-width"><base target="_blank">${style}<body data-menu="${escapeHtml(config.code)}">${draw()}`
}

function toShown({ file, tree, html, explanation, isBlocked }: Preview): object {
  const cut = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text)
  const items = explanation.items.flatMap((item) => toLevels(item, 1))
  const shown = items.filter(({ fate }) => fate === 'shown')
  return {
    menuFile: file,
    explanation,
    isBlocked,
    tree: toFirst(tree, { left: MOST_ITEMS }),
    isCut: items.length > MOST_ITEMS,
    // No script may look how long the page in the frame is.
    height: Math.min(HEIGHT.most, HEIGHT.around + HEIGHT.item * shown.length),
    json: cut(JSON.stringify(tree, null, 2)),
    html: cut(html),
    items: items.slice(0, MOST_ITEMS),
    absent: REASONS.flatMap((fate) => {
      const labels = items.filter((item) => item.fate === fate).map(({ label }) => label)
      return labels.length === 0
        ? []
        : [{ fate, labels: labels.slice(0, MOST_ABSENT), more: labels.length - MOST_ABSENT }]
    }),
  }
}

/** The first nodes of a tree, as many as there is room for. */
function toFirst(tree: readonly TreeNode[], room: { left: number }): readonly TreeNode[] {
  const first: TreeNode[] = []
  for (const node of tree)
    if (room.left-- > 0) first.push({ ...node, children: toFirst(node.children, room) })
  return first
}

type LeveledItem = ExplainedItem & { readonly level: number }

function toLevels(item: ExplainedItem, level: number): readonly LeveledItem[] {
  return [{ ...item, level }, ...item.children.flatMap((child) => toLevels(child, level + 1))]
}
