import type { Json, JsonList, JsonMap } from '../../model/json.js'
import type { BlockPart, Entry, FlowPart, Layout } from './layout.js'
import type { Site } from './site.js'
import type { Like, Styles } from './styles.js'

/** An entry of some text. */
export interface Located<E extends Entry = Entry> {
  readonly layout: Layout
  readonly entry: E
}

/** A list or a map of some text; none for a new one. */
export interface Around<P> {
  readonly layout: Layout
  readonly part: P
}

/** A new value: in its line, or in lines of its own at a column. */
export type Fresh =
  | { readonly inline: string; readonly lines: null }
  | { readonly inline: null; readonly lines: string; readonly column: number }

/** Where a new value is written. */
export interface Fitting {
  readonly site: Site
  /** The column of the entry whose value it is. */
  readonly column: number
  readonly isInList: boolean
  readonly inFlow: boolean
  readonly like: Like | null
}

/** An edit in progress: its sources, and its writers, which need one another. */
export interface Editing {
  readonly eol: string
  readonly styles: Styles
  /** Whether blank lines between entries are left out, because a text before them would take them in. */
  readonly isTight: boolean
  /** Whether changed values are rewritten as a whole. */
  readonly isCoarse: boolean
  /** Whether an item, with all below it, is the one that was there before, unchanged. */
  readonly isStill: (site: Site) => boolean
  /** The entry from which an item takes its text; null for a new one. */
  readonly sourceOf: (site: Site) => Located | null
  /** The entry whose place an item takes, in the text that is edited; null for a new one. */
  readonly placeOf: (site: Site) => Entry | null
  /** The lines of a list or a map with entries. */
  readonly blockLines: (around: Around<BlockPart>, value: JsonList | JsonMap, site: Site) => string
  /** The lines of a new list of items. */
  readonly itemLines: (value: JsonList, site: Site, column: number, like: Like | null) => string
  /** A list or a map in brackets. */
  readonly flowText: (
    around: Around<FlowPart> | null,
    value: JsonList | JsonMap,
    site: Site,
    column: number,
    like: Like | null,
  ) => string
  readonly fresh: (value: Json, fitting: Fitting) => Fresh
}

/** A text in brackets, and comments that found no place in it. */
export interface FlowText {
  readonly text: string
  readonly comments: readonly string[]
}

/** One that moves to another place, with the comments above it and the one behind it in its line. */
export interface TakenText extends FlowText {
  readonly behind: string
}
