import type { MenuDocument } from '../../../document/menu-document.js'
import { decodeUtf8 } from '../../../document/read/decode.js'
import { isError, type Problem } from '../../../model/problem.js'
import { contentHash } from '../../../store/hash.js'
import { needPath, toPublishProblem } from '../../deeds/faults.js'
import { findDocument, needDocument, publish, type Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import type { Trouble } from '../../forms/trouble.js'
import { toDetail } from '../../forms/trouble.js'
import { withLineBreaksOf } from '../../forms/typed-lines.js'
import type { Call, Page, PageReply, Replying } from '../../page.js'
import { Refusal } from '../../refusal.js'
import { firstOf, type ShownChange, toPublishedPath, toShownChange } from './outcome.js'

/** Lines that are numbered. */
const MOST_NUMBERED = 3_000

/** What the page shows around a text. */
interface Verdict extends Pick<Trouble, 'problem' | 'status'> {
  readonly problems?: readonly Problem[]
  /** What publishing would do; null for nothing. */
  readonly change?: ShownChange | null
  /** What became of the file since the text was loaded. */
  readonly stale?: 'changed' | 'gone' | null
}

/** A menu file as a text, also one that cannot be read as a menu. It is judged as `lint` judges it. */
export function textPage(workspace: Workspace): Page {
  const { config, current, home } = workspace
  const page = (
    { t }: Call,
    { file, text, version }: Pick<Typed, 'file' | 'text' | 'version'>,
    { problems = [], change, stale = null, problem = null, status = problem?.status ?? 200 }: Verdict,
  ): PageReply => {
    const lines = text.split(/\r\n|\r|\n/)
    const wrong = new Map(problems.toReversed().map(({ line, severity }) => [line, severity]))
    const model = {
      title: t.files.text.title,
      current: 'menus',
      ...{ file, text, version, stale },
      problems: firstOf(problems),
      isInvalid: problems.some(isError),
      change: change ?? null,
      isUnchanged: change === null,
      fault: problem === null ? null : toDetail(t, problem),
      numbers: lines.length > MOST_NUMBERED ? [] : lines.map((_, place) => wrong.get(place + 1) ?? null),
    }
    return { template: 'text', model, status }
  }

  /** What publishing a text would come to, or comes to. Judged against what the file is by now. */
  const judge = async (
    call: Call,
    typed: Typed,
    isDry: boolean,
    stale: Verdict['stale'] = null,
  ): Promise<PageReply> => {
    const { operator } = call
    const { file, version, mark, text } = typed
    const edit = { kind: 'text', path: file, version: version || null, text: mark + text } as const
    const { value, fault } = await workspace.publisher.publish([edit], {
      author: operator.author,
      isDry: true,
    })
    if (fault?.reason === 'changed' && stale === null) {
      const now = { ...typed, version: fault.version ?? '' }
      return judge(call, now, true, fault.version === null ? 'gone' : 'changed')
    }
    if (fault?.reason === 'invalid')
      return page(call, typed, { problems: fault.problems, stale, status: 422 })
    if (fault !== null) throw new Refusal(toPublishProblem(fault))
    const [planned] = value.files
    const change = planned === undefined ? null : await toShownChange(workspace, planned, call.t)
    const { problems } = value
    if (isDry || change === null)
      return page(call, typed, { problems, change, stale, status: stale === null ? 200 : 412 })
    const published = await publish(workspace, [edit], { operator, isDry: false, action: 'replace' })
    return { location: toPublishedPath(home, published) }
  }

  return formPage<string>({
    role: 'view',
    /** As many bytes as a text may have, when each needs three in a form. */
    maxForm: 3 * config.options.limits.bytes + 65_536,
    find: (call) => needPath(fileIn(call)),
    view: (call, file, form, { problem = null }): Replying => {
      if (form !== null) return page(call, read(workspace, file, form), { problem })
      const problems = current().files.find(({ path }) => path === file)?.problems ?? []
      return page(call, toTyped(needDocument(workspace, file)), { problems })
    },
    submit: (call, form, file) => judge(call, read(workspace, file, form), form.get('do') !== 'publish'),
  })
}

/** A text in the form; `version` is that of the file that it was made from, `''` for no file. */
interface Typed {
  readonly file: string
  readonly text: string
  readonly mark: string
  readonly version: string
}

function toTyped({ path: file, bytes, mark }: MenuDocument): Typed {
  // Of a file that is not UTF-8, what cannot be read is replaced.
  const text = decodeUtf8(bytes).text ?? new TextDecoder().decode(bytes)
  return { file, text: text.replace(/^\ufeff/, ''), mark, version: contentHash(bytes) }
}

function read(workspace: Workspace, file: string, form: ReadonlyMap<string, string>): Typed {
  const { value: document } = findDocument(workspace, file)
  const now = document === null ? { text: '', mark: '' } : toTyped(document)
  const text = withLineBreaksOf(now.text, form.get('text') ?? '')
  return { file, text, mark: now.mark, version: form.get('version') ?? '' }
}
