import type { MenuDocument } from '../document/menu-document.js'
import type { MenuFile } from '../model/menu-file.js'
import type { Snapshot } from '../model/snapshot.js'

/** What is served of some files, by path; null is a file that does not exist. */
export type JudgedFiles = ReadonlyMap<string, MenuFile | null>

/** What a publisher needs of the menus that are served. */
export interface Judging {
  /** What is served of a document, and why not; what is known of this version is not judged again. */
  readonly judge: (document: MenuDocument) => MenuFile
  /** What would be served, and why, if files were judged like this. */
  readonly snapshotWith: (judged: JudgedFiles) => Snapshot
  /**
   * Runs `write`, during which nothing is rescanned, so that its files are served together; then serves them as they are on
   * the disk, without waiting for them to settle. Versions that were judged are not parsed. Does nothing once closed.
   */
  readonly takeOver: (judged: JudgedFiles, write: () => Promise<void>) => Promise<void>
}
