import type { MenuDocument } from '../../../document/menu-document.js'
import { decodeUtf8 } from '../../../document/read/decode.js'
import { isError, type Problem } from '../../../model/problem.js'
import { done, failed } from '../../../model/result.js'
import { contentHash } from '../../../store/hash.js'
import type { HttpProblem } from '../../../web/problem-json.js'
import { judgeFile } from '../../api/call.js'
import { type Editing, needDocument, publish } from '../../api/editing.js'
import { toPublishProblem } from '../../api/faults.js'
import { toDetail } from '../error-page.js'
import type { Answered, Call, Page } from '../page.js'
import type { Shown } from '../shown.js'
import { firstOf, type ShownChange, toPublishedPath, toShownChange } from './outcome.js'
import { withLineBreaksOf } from './typed-lines.js'

/** Lines that are numbered. */
const MOST_NUMBERED = 3_000

/** What the page shows around a text. */
interface Shortcomings {
  readonly problems?: readonly Problem[]
  /** What publishing would do; null for nothing. */
  readonly change?: ShownChange | null
  /** What became of the file since the text was loaded. */
  readonly stale?: 'changed' | 'gone' | null
  readonly fault?: HttpProblem | null
  readonly status?: number
}

/** A menu file as a text, also one that cannot be read as a menu. It is judged as `lint` judges it. */
export function textPage({ editing, config, current }: Shown, home: string): Page {
  const page = (
    call: Call,
    file: string,
    { text, version }: Pick<Typed, 'text' | 'version'>,
    { problems = [], change, stale = null, fault = null, status = 200 }: Shortcomings,
  ): Answered => {
    const lines = text.split(/\r\n|\r|\n/)
    const wrong = new Map(problems.toReversed().map(({ line, severity }) => [line, severity]))
    const model = {
      title: call.t.files.text.title,
      current: 'menus',
      ...{ file, text, version, stale },
      problems: firstOf(problems),
      isInvalid: problems.some(isError),
      change: change ?? null,
      isUnchanged: change === null,
      fault: fault === null ? null : toDetail(call.t, fault),
      numbers: lines.length > MOST_NUMBERED ? [] : lines.map((_, place) => wrong.get(place + 1) ?? null),
    }
    return done({ template: 'text', model, status })
  }
  const refused = (call: Call, { file, typed }: Sent, fault: HttpProblem): Answered =>
    page(call, file, typed, { fault, status: fault.status })

  /** What publishing a text would come to, or comes to. Judged against what the file is by now. */
  const judge = async (
    call: Call,
    { file, typed, isDry }: Sent & { readonly isDry: boolean },
    stale: Shortcomings['stale'] = null,
  ): Promise<Answered> => {
    const { operator } = call
    const { version, mark, text } = typed
    const edit = { kind: 'text', path: file, version: version || null, text: mark + text } as const
    const { value, fault } = await editing.publisher.publish([edit], { author: operator.id, isDry: true })
    if (fault?.reason === 'changed' && stale === null) {
      const now = { ...typed, version: fault.version ?? '' }
      const became = fault.version === null ? 'gone' : 'changed'
      return judge(call, { file, typed: now, isDry: true }, became)
    }
    const status = stale === null ? 200 : 412
    if (fault?.reason === 'invalid')
      return page(call, file, typed, { problems: fault.problems, stale, status: 422 })
    if (fault !== null) return refused(call, { file, typed }, toPublishProblem(fault))
    const [planned] = value.files
    const change = planned === undefined ? null : toShownChange(editing, planned, call.t)
    const { problems } = value
    if (isDry || change === null) return page(call, file, typed, { problems, change, stale, status })
    const published = await publish(editing, [edit], { operator, isDry: false, action: 'replace' })
    if (published.fault !== null) return refused(call, { file, typed }, published.fault)
    return done({ location: toPublishedPath(home, published.value) })
  }

  return {
    role: 'view',
    /** As many bytes as a text may have, when each needs three in a form. */
    maxForm: 3 * config.options.limits.bytes + 65_536,
    show: (call) => {
      const { value: file, fault } = judgeFile(call.query.get('file') ?? '')
      if (fault !== null) return failed(fault)
      const { value: document, fault: noFile } = needDocument(editing, file)
      if (noFile !== null) return failed(noFile)
      const problems = current().files.find(({ path }) => path === file)?.problems ?? []
      return page(call, file, toTyped(document), { problems })
    },
    submit: (call, form) => {
      const { value: file, fault } = judgeFile(call.query.get('file') ?? '')
      if (fault !== null) return failed(fault)
      return judge(call, {
        file,
        typed: read(editing, file, form),
        isDry: form.get('do') !== 'publish',
      })
    },
    refused: (call, form, fault) => {
      const { value: file, fault: badFile } = judgeFile(call.query.get('file') ?? '')
      if (badFile !== null) return failed(fault)
      return refused(call, { file, typed: read(editing, file, form) }, fault)
    },
  }
}

/** A text in the form; `version` is that of the file that it was made from, `''` for no file. */
interface Typed {
  readonly text: string
  readonly mark: string
  readonly version: string
}

interface Sent {
  readonly file: string
  readonly typed: Typed
}

function toTyped(document: MenuDocument): Typed {
  const { bytes, mark } = document
  // Of a file that is not UTF-8, what cannot be read is replaced.
  const text = decodeUtf8(bytes).text ?? new TextDecoder().decode(bytes)
  return { text: text.replace(/^\ufeff/, ''), mark, version: contentHash(bytes) }
}

function read(editing: Editing, file: string, form: ReadonlyMap<string, string>): Typed {
  const { value: document } = needDocument(editing, file)
  const now = document === null ? { text: '', mark: '' } : toTyped(document)
  const text = withLineBreaksOf(now.text, form.get('text') ?? '')
  return { text, mark: now.mark, version: form.get('version') ?? '' }
}
