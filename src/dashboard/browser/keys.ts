/** What a key asks for on the page of a menu. */
export type Command =
  | 'up'
  | 'down'
  | 'nest'
  | 'unnest'
  | 'remove'
  | 'undo'
  | 'redo'
  | 'publish'
  | 'help'
  | 'next-row'
  | 'previous-row'

/** A key that was pressed, as events of browsers have it. */
export interface Pressed {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

/** Where it was pressed. */
export interface Where {
  readonly isInField: boolean
  readonly isOnRow: boolean
  readonly isRightToLeft: boolean
}

/** The keys of a row, as `aria-keyshortcuts` names them. */
export const ROW_KEYS =
  'Alt+ArrowUp Alt+ArrowDown Alt+ArrowRight Alt+ArrowLeft Delete Space Shift+Space Control+A Escape'

/** The command of a key; null where the browser does with it what it always does. */
export function toCommand(pressed: Pressed, { isInField, isOnRow, isRightToLeft }: Where): Command | null {
  const { key, altKey, shiftKey } = pressed
  const isControl = pressed.ctrlKey || pressed.metaKey
  if (isControl && !altKey) {
    const letter = key.toLowerCase()
    if (letter === 's') return shiftKey ? null : 'publish'
    if (isInField) return null
    if (letter === 'z') return shiftKey ? 'redo' : 'undo'
    return letter === 'y' && !shiftKey ? 'redo' : null
  }
  if (isControl || isInField) return null
  if (key === '?' && !altKey) return 'help'
  if (!isOnRow || shiftKey) return null
  const moves = new Map<string, Command>([
    ['ArrowUp', 'up'],
    ['ArrowDown', 'down'],
    [isRightToLeft ? 'ArrowLeft' : 'ArrowRight', 'nest'],
    [isRightToLeft ? 'ArrowRight' : 'ArrowLeft', 'unnest'],
  ])
  return (altKey ? moves : OTHERS).get(key) ?? null
}

/** The keys of a row without Alt. */
const OTHERS: ReadonlyMap<string, Command> = new Map([
  ['ArrowUp', 'previous-row'],
  ['ArrowDown', 'next-row'],
  ['Delete', 'remove'],
])
