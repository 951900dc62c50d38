import type { TreeNode } from '../../../model/tree.js'
import type { ExplainedItem } from '../../../service/explain/explanation.js'
import { toKeys } from '../../../service/hooks.js'
import { ownDraft } from '../../deeds/edited-menu.js'
import { type Preview, type PreviewQuery, preview, readSets } from '../../deeds/preview.js'
import type { Workspace } from '../../deeds/workspace.js'
import { toDetail } from '../../forms/trouble.js'
import type { Call, Page, PageReply } from '../../page.js'
import { attempt, Refusal } from '../../refusal.js'

/** Items of a menu, and characters of its JSON and its HTML, that the page shows. */
const MOST_ITEMS = 2_000
const MOST_TEXT = 100_000

/** The field that a problem is about, by its code. */
const FIELDS: Readonly<Record<string, string>> = { 'bad-context-sets': 'contexts', 'bad-body': 'now' }

/** What visitors get of a menu, as it is served and as a draft would make it, and why. */
export function previewPage(workspace: Workspace): Page {
  const { current, home, settings } = workspace
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
    const usual = Object.keys(context).length > 0 ? JSON.stringify([context]) : ''
    const visitor = {
      locale: query.get('locale') || defaultLocale,
      contexts: query.get('contexts') ?? usual,
      permissions: query.get('permissions') ?? '',
      now: query.get('now')?.trim() ?? '',
    }
    const subjects: Readonly<Record<string, PreviewQuery>> =
      file === null ? { live: { code } } : toSubjects(workspace, call, file)
    const viewer = { permissions: toKeys(visitor.permissions) }
    const toPanels = async (): Promise<readonly object[]> => {
      const asVisitor = {
        locale: visitor.locale,
        context_sets: readSets(visitor.contexts),
        viewer,
        now: visitor.now,
      }
      const panels: object[] = []
      for (const [kind, subject] of Object.entries(subjects))
        panels.push(await toPanel(kind, call, { ...subject, ...asVisitor }))
      return panels
    }
    const { value: panels, fault: problem } = await attempt(toPanels)
    const field = FIELDS[problem?.code ?? ''] ?? null
    if (problem !== null && field === null) throw new Refusal(problem)
    const errors = problem === null ? [] : [{ field, text: problem.detail, isTranslated: false }]
    const model = {
      title: menu === null ? t.files.preview.title : `${t.files.preview.title}: ${menu.name}`,
      ...{ file, code, panels: panels ?? [], locales, ...visitor },
    }
    return { template: 'preview', model, trouble: { problem, errors } }
  }

  /** What visitors get, or why they get nothing. */
  const toPanel = async (kind: string, call: Call, wish: PreviewQuery): Promise<object> => {
    const { request, operator, t } = call
    const { value, fault } = await attempt(() => preview(workspace, operator, request.headers, wish))
    if (fault === null) return { kind, fault, ...toShown(value) }
    if (Object.hasOwn(FIELDS, fault.code) || fault.code === 'no-file') throw new Refusal(fault)
    return { kind, fault: toDetail(t, fault) }
  }
  return { role: 'view', show }
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

function toShown({ file, tree, html, explanation }: Preview): object {
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
