import { writeChange } from '../../../document/edit/write-change.js'
import type { MenuDocument } from '../../../document/menu-document.js'
import { decodeUtf8 } from '../../../document/read/decode.js'
import { isError, type Problem } from '../../../model/problem.js'
import type { Draft } from '../../../store/drafts/read-draft.js'
import { contentHash } from '../../../store/hash.js'
import { ownDraft } from '../../deeds/edited-menu.js'
import { needPath, toPublishProblem } from '../../deeds/faults.js'
import { stateOf } from '../../deeds/file-states.js'
import { findDocument, needDocument, publish, type Workspace } from '../../deeds/workspace.js'
import { fileIn, formPage } from '../../forms/form-page.js'
import { type Trouble, toError } from '../../forms/trouble.js'
import { withLineBreaksOf } from '../../forms/typed-lines.js'
import type { Page } from '../../page.js'
import { Refusal } from '../../refusal.js'
import { firstOf, type ShownChange, toPublishedPath, toShownChange } from './outcome.js'

/** Lines that are numbered. */
const MOST_NUMBERED = 3_000

/** What publishing a text comes to. */
interface Verdict extends Trouble {
  /** The version of the file that it was judged against. */
  readonly version?: string
  readonly problems?: readonly Problem[]
  /** What publishing would do; null for nothing. */
  readonly change?: ShownChange | null
}

/** A menu file as a text, also one that cannot be read as a menu. It is judged as `lint` judges it. */
export function textPage(workspace: Workspace): Page {
  const { config, current } = workspace
  return formPage<string, Verdict>({
    template: 'text',
    role: 'view',
    /** As many bytes as a text may have, when each needs three in a form. */
    maxForm: 3 * config.options.limits.bytes + 65_536,
    find: (call) => needPath(fileIn(call)),
    view: ({ t, operator, query }, file, form, verdict) => {
      const draft = ownDraft(workspace, file, operator.id)
      const model = { title: t.files.text.title, file, hasDraft: draft !== null }
      const state = stateOf(current(), file) === 'served' ? 'live' : 'notLive'
      if (draft !== null && form === null && query.get('show') === 'draft')
        return { ...model, ...DRAFT, text: textOf(draft) }
      const typed = form === null ? toTyped(needDocument(workspace, file)) : read(workspace, file, form)
      const found = form === null ? current().files.find(({ path }) => path === file)?.problems : []
      const { problems = found ?? [], change, version = typed.version } = verdict
      const lines = typed.text.split(/\r\n|\r|\n/)
      const wrong = new Map(problems.toReversed().map(({ line, severity }) => [line, severity]))
      return {
        ...{ ...model, isDraft: false, state, text: typed.text, version },
        problems: firstOf(problems),
        isInvalid: problems.some(isError),
        change: change ?? null,
        isUnchanged: change === null,
        numbers: lines.length > MOST_NUMBERED ? [] : lines.map((_, place) => wrong.get(place + 1) ?? null),
      }
    },
    submit: async ({ t, operator }, form, file) => {
      const { version, mark, text } = read(workspace, file, form)
      const toEdit = (against: string) =>
        ({ kind: 'text', path: file, version: against || null, text: mark + text }) as const
      const judge = (against: string) =>
        workspace.publisher.publish([toEdit(against)], { author: operator.author, isDry: true })
      const first = await judge(version)
      // Judged against what the file is by now.
      const changed = first.fault?.reason === 'changed' ? first.fault : null
      const now = changed === null ? version : (changed.version ?? '')
      const { value, fault } = changed === null ? first : await judge(now)
      const { stale } = t.files.text
      const errors = changed === null ? [] : [toError(null, now === '' ? stale.gone : stale.changed)]
      if (fault?.reason === 'invalid') return { version: now, problems: fault.problems, errors, status: 422 }
      if (fault !== null) throw new Refusal(toPublishProblem(fault))
      const [planned] = value.files
      const change = planned === undefined ? null : await toShownChange(workspace, planned, t)
      if (form.get('do') !== 'publish' || change === null || changed !== null)
        return {
          version: now,
          problems: value.problems,
          change,
          errors,
          status: changed === null ? 200 : 412,
        }
      const published = await publish(workspace, [toEdit(now)], { operator, isDry: false, action: 'replace' })
      return { location: await toPublishedPath(workspace, published) }
    },
  })
}

/** What the page has of a draft beside its text, which is only shown. */
const DRAFT = {
  isDraft: true,
  state: 'draft',
  problems: [],
  isInvalid: false,
  change: null,
  isUnchanged: false,
  numbers: [],
}

/** The text that a publish of a draft would write, had nobody else changed the file. */
function textOf({ base, change, texts }: Draft): string {
  const { value: written, fault } = writeChange(base, change, texts)
  if (fault !== null) throw new Refusal('uneditable', {}, fault)
  return written.text
}

/** A text in the form; `version` is that of the file that it was made from, `''` for no file. */
interface Typed {
  readonly text: string
  readonly mark: string
  readonly version: string
}

function toTyped({ bytes, mark }: MenuDocument): Typed {
  // Of a file that is not UTF-8, what cannot be read is replaced.
  const text = decodeUtf8(bytes).text ?? new TextDecoder().decode(bytes)
  return { text: text.replace(/^\ufeff/, ''), mark, version: contentHash(bytes) }
}

function read(workspace: Workspace, file: string, form: ReadonlyMap<string, string>): Typed {
  const { value: document } = findDocument(workspace, file)
  const now = document === null ? { text: '', mark: '' } : toTyped(document)
  const text = withLineBreaksOf(now.text, form.get('text') ?? '')
  return { text, mark: now.mark, version: form.get('version') ?? '' }
}
