import { placedItems } from '../../../change/items.js'
import { toClosed } from '../../../model/direction.js'
import { isMap } from '../../../model/json.js'
import { nameOf } from '../../../model/label.js'
import { labelChain } from '../../../model/locale.js'
import { done, failed } from '../../../model/result.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { judgeFile } from '../../api/call.js'
import { needDocument, publish, storageOf } from '../../api/editing.js'
import { draftsOfOthers } from '../editor/edited-menu.js'
import { toDetail } from '../error-page.js'
import type { Answered, Call, Page } from '../page.js'
import { pathTo } from '../path-to.js'
import type { Shown } from '../shown.js'

/** Items that the page names. */
const MOST = 30

/** Asks before a menu is deleted, and shows what goes. */
export function deletePage(deps: Shown, home: string): Page {
  const { editing, settings } = deps
  const page = (
    call: Call,
    file: string,
    {
      isStale = false,
      fault = null,
    }: { readonly isStale?: boolean; readonly fault?: HttpProblem | null } = {},
  ): Answered => {
    const { t, operator } = call
    const { value: document, fault: noFile } = needDocument(editing, file)
    if (noFile !== null) return failed(noFile)
    const chain = labelChain(t.lang, settings.locales)
    const items = placedItems(document.value)
    const { name = file } = isMap(document.value) ? document.value : {}
    const model = {
      title: t.files.remove.title(toClosed(String(name))),
      current: 'menus',
      ...{ file, isStale },
      version: contentHash(document.bytes),
      count: items.length,
      names: items.slice(0, MOST).map(({ item }) => nameOf(item, chain)),
      drafts: draftsOfOthers(deps, file, operator.id).map(({ user }) => user),
      commits: storageOf(editing).commit === 'auto',
      fault: fault === null ? null : toDetail(t, fault),
    }
    return done({ template: 'delete', model, status: isStale ? 412 : (fault?.status ?? 200) })
  }
  return {
    role: 'edit',
    show: (call) => {
      const { value: file, fault } = judgeFile(call.query.get('file') ?? '')
      if (fault !== null) return failed(fault)
      return page(call, file)
    },
    submit: async (call, form) => {
      const { value: file, fault } = judgeFile(call.query.get('file') ?? '')
      if (fault !== null) return failed(fault)
      const edit = { kind: 'text', path: file, version: form.get('version') ?? '', text: null } as const
      const { fault: refused } = await publish(editing, [edit], {
        operator: call.operator,
        isDry: false,
        action: 'delete',
      })
      if (refused !== null)
        return page(call, file, refused.code === 'changed' ? { isStale: true } : { fault: refused })
      return done({ location: pathTo(home, 'history', { file, deleted: 'yes' }) })
    },
  }
}
