/**
 * The names that a project uses, as `menuscript types` writes them from its menus and its configuration. A program that
 * passes them as a type parameter gets a wrong name as a type error; without them, any string will do.
 */
export interface AnyMenuTypes {
  readonly code: string
  /** The contexts of its variants; never if there is none. */
  readonly context: Readonly<Record<string, AnyScalar>>
  readonly locale: string
  readonly routeName: string
  readonly permission: string
}

type AnyScalar = string | number | boolean | null

/**
 * What a program may send for a context: the same keys with values of the same types. The values are often data of a
 * visitor, for most of whom there is no variant.
 */
export type ContextLike<Context> = Context extends unknown
  ? { readonly [Key in keyof Context]: Widened<Context[Key]> }
  : never

type Widened<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value
