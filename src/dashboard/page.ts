import type { IncomingMessage } from 'node:http'
import type { Role } from '../service/hooks.js'
import type { Draft } from '../store/drafts/read-draft.js'
import type { Headers, HttpProblem } from '../web/problem-json.js'
import type { Operator } from './access/operator.js'
import type { Exporting } from './deeds/export.js'
import type { Trouble } from './forms/trouble.js'
import type { Texts } from './texts/language.js'

/** The fields of a form, or the parameters of an address, each with its first value. */
export type Fields = ReadonlyMap<string, string>

/** Somebody looks at a page. */
export interface Visit {
  readonly request: IncomingMessage
  readonly query: Fields
  readonly t: Texts
  /** The signed-in operator, or null. */
  readonly operator: Operator | null
}

/** A visit by an operator who may make it. */
export interface Call extends Visit {
  readonly operator: Operator
}

export interface PageModel {
  readonly title: string
  readonly [name: string]: unknown
}

/** A page, or where the browser goes on by GET (303). */
export type PageReply =
  | {
      readonly template: string
      /** What the template shows, besides what is around every page. */
      readonly model: PageModel
      /** What the summary of errors says. */
      readonly trouble?: Trouble
      /** Default: that of the trouble. */
      readonly status?: number
      readonly headers?: Headers
    }
  | SeeOther
  /** A file that the browser saves under a name: ASCII without quotes. */
  | { readonly write: Exporting; readonly fileName: string }

export interface SeeOther {
  readonly location: string
  readonly headers?: Headers
  /** The draft after the step that a form took. */
  readonly draft?: Draft
}

/** What comes of a request for a page; a Refusal is thrown. */
export type Replying = PageReply | Promise<PageReply>

/** What a path shows, and what its form does. `submit` is called for what may write. If the role is null, anyone may call it. */
export type Page = OpenPage | OperatorPage

export interface OpenPage {
  readonly role: null
  readonly show: (visit: Visit) => Replying
  readonly submit?: (visit: Visit, form: Fields) => Replying
  readonly maxForm?: never
}

/** The page of a path that only operators may open. */
export interface OperatorPage {
  readonly role: Role
  readonly show: (call: Call) => Replying
  readonly submit?: (call: Call, form: Fields) => Replying
  /** Who may send its form. Default: edit, or the role of the page where it is higher. */
  readonly submitRole?: Role
  /** Shows a form again that could not be taken, with what was typed. Default: the page of the fault. */
  readonly refused?: (call: Call, form: Fields, problem: HttpProblem) => Replying
  /** Bytes of its form. Default: as for a form without long texts. */
  readonly maxForm?: number
}
