import type { Json } from '../../model/json.js'
import type { Side, ThreeOf } from '../change.js'

/**
 * What two sides cannot agree on:
 * - `edit`: both changed one field in different ways;
 * - `move`: both moved one item to different places, or one under the other;
 * - `delete`: one deleted an item with all below it, and the other changed it, or something below it;
 * - `insert`: both added an item with one id at different places;
 * - `id`: two items that are not the same got one id;
 * - `viewers`: together, both changes would show an item to viewers who see it on neither side. It is shown as on the chosen
 *   side, which decides its place, its guards and those of the items around it; where that side lacks the item, it goes.
 */
export type ConflictKind = 'edit' | 'move' | 'delete' | 'insert' | 'id' | 'viewers'

/** A decision for a person, between `mine` and `theirs`. */
export interface Conflict {
  readonly kind: ConflictKind
  /** The pointers of the item in the three values, `''` for the menu itself; null where it is absent. */
  readonly base: string | null
  readonly mine: string | null
  readonly theirs: string | null
  /** The field below the item, as a JSON Pointer; null for the item as a whole. */
  readonly field: string | null
  /**
   * The three versions: of a field its value, of an item the item; undefined where absent. Fields that only make sense
   * together (`routeName` and `url`, `permissions` and `permissionMode`) are a map when more than one of them is meant.
   */
  readonly values: ThreeOf<Json | undefined>
}

/** The pointer of an item in the three values; null where it is absent. */
export type Origin = ThreeOf<string | null>

/** Decides conflicts; each is asked about once. 'base' undoes what both sides did. */
export type Ask = (conflict: Conflict) => Side
