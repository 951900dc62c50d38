import { done, failed } from '../../../model/result.js'
import type { TreeNode } from '../../../model/tree.js'
import type { ExplainedItem } from '../../../service/explain/explanation.js'
import { toKeys } from '../../../service/hooks.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import type { Editing } from '../../api/editing.js'
import { type Preview, preview, readSets } from '../../api/preview.js'
import { toDetail } from '../error-page.js'
import type { Answered, Call, Page } from '../page.js'
import type { Shown } from '../shown.js'

/** Items of a menu, and characters of its JSON and its HTML, that the page shows. */
const MOST_ITEMS = 2_000
const MOST_TEXT = 100_000

/** What visitors get of a menu, as it is served and as a draft would make it, and why. */
export function previewPage({ editing, settings, current }: Shown, home: string): Page {
  const { locales, defaultLocale } = settings.locales

  const show = async (call: Call): Promise<Answered> => {
    const { query, t } = call
    const file = query.get('file') ?? null
    const code = query.get('code') ?? ''
    if (file === null && code === '') return done({ location: home })
    const snapshot = current()
    const found = snapshot.files.find(({ path }) => path === file) ?? null
    const menu = found?.menu ?? snapshot.served.get(file ?? '')?.menu ?? null
    const { context = {} } = menu ?? {}
    const usual = Object.keys(context).length > 0 ? JSON.stringify([context]) : ''
    const asked = {
      locale: query.get('locale') || defaultLocale,
      contexts: query.get('contexts') ?? usual,
      permissions: query.get('permissions') ?? '',
    }
    const subjects = file === null ? { live: { code } } : toSubjects(editing, call, file)
    const { value: sets, fault: notJson } = readSets(asked.contexts)
    const panels: object[] = []
    let bad: HttpProblem | null = notJson
    for (const [kind, subject] of notJson === null ? Object.entries(subjects) : []) {
      const viewer = { permissions: toKeys(asked.permissions) }
      const body = { ...subject, locale: asked.locale, context_sets: sets, viewer }
      const { value, fault } = await preview(editing, { ...call, id: '', body, isDry: true })
      if (fault?.code === 'bad-context-sets') bad = fault
      else if (fault?.code === 'no-file') return failed(fault)
      else if (fault !== null) panels.push({ kind, fault: toDetail(t, fault) })
      else panels.push({ kind, fault: null, ...toPanel(value.value as Preview) })
    }
    const model = {
      title: menu === null ? t.files.preview.title : `${t.files.preview.title}: ${menu.name}`,
      current: 'menus',
      ...{ file, code, panels, locales, ...asked },
      bad: bad?.detail ?? null,
    }
    return done({ template: 'preview', model, status: bad?.status ?? 200 })
  }
  return { role: 'view', show }
}

/** What is compared: the draft of the operator, where it holds changes, and what is served. */
function toSubjects({ drafts }: Editing, { operator }: Call, file: string): Readonly<Record<string, object>> {
  const draft = drafts
    .list()
    .find(({ path, user, steps }) => path === file && user === operator.id && steps.position > 0)
  return { ...(draft !== undefined && { draft: { draft: draft.id } }), live: { file } }
}

function toPanel({ file, tree, html, explanation }: Preview): object {
  const cut = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text)
  const items = explanation.items.flatMap((item) => toLevels(item, 1))
  return {
    menuFile: file,
    explanation,
    tree: toFirst(tree, { left: MOST_ITEMS }),
    isCut: items.length > MOST_ITEMS,
    json: cut(JSON.stringify(tree, null, 2)),
    html: cut(html),
    items: items.slice(0, MOST_ITEMS),
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
