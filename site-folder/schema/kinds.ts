/**
 * What a value in a folder can be. The schema is made of these, once: the reader checks and fills in the texts by it, `texts` lists its
 * names, and TypeScript's types come from it.
 */
import type { Language } from '../../domain/languages.ts'

export interface TextLink {
  readonly text: string
  readonly href: string
}

/** Plain text, or a list of text and links. */
export type LinkedText = string | readonly (string | TextLink)[]

/** What it says. */
export const plainOf = (text: LinkedText): string =>
  typeof text === 'string' ? text : text.map(part => (typeof part === 'string' ? part : part.text)).join('')

export type InEachLanguage<Value = string> = Readonly<Record<Language, Value>>

export type Shape =
  | {
      readonly is: 'text'
      /** An empty text that isn't required is hidden. */
      readonly required: boolean
      readonly links: 'none' | 'allowed' | 'only'
      /** Names that are filled in later, such as {percent}. */
      readonly later: readonly string[]
      /** What is wrong with it, as “must be …”. */
      readonly check?: (text: string) => string | null
    }
  | { readonly is: 'number' }
  | { readonly is: 'boolean' }
  /** A list of texts. */
  | { readonly is: 'list' }
  | { readonly is: 'group'; readonly fields: Readonly<Record<string, Kind<unknown>>> }
  /** Named items in an order. `names`: only these. */
  | { readonly is: 'items'; readonly item: Kind<unknown>; readonly named: boolean }
  | { readonly is: 'record'; readonly item: Kind<unknown>; readonly names: Names }

export interface Kind<Value> {
  readonly shape: Shape
  /** `show = false` hides it. */
  readonly canHide?: boolean
  /** Can be left out. */
  readonly optional?: boolean
  /** The same in every language unless another says otherwise, such as an icon. */
  readonly fact?: boolean
  readonly type?: Value
}

export type ValueOf<K> = K extends Kind<infer Value> ? Value : never

interface TextOptions {
  readonly later?: readonly string[]
  readonly check?: (text: string) => string | null
}

const textShape = (
  required: boolean,
  links: 'none' | 'allowed' | 'only',
  { later = [], check }: TextOptions,
): Shape => ({
  is: 'text',
  required,
  links,
  later,
  ...(check && { check }),
})

export const text = (options: TextOptions = {}): Kind<string> => ({ shape: textShape(true, 'none', options) })
/** A sentence that reads well without: `""` leaves it out. */
export const sentence = (options: TextOptions = {}): Kind<string> => ({ shape: textShape(false, 'none', options) })
export const linked: Kind<LinkedText> = { shape: textShape(true, 'allowed', {}) }
export const link: Kind<TextLink> = { shape: textShape(true, 'only', {}) }
export const number: Kind<number> = { shape: { is: 'number' } }
export const boolean: Kind<boolean> = { shape: { is: 'boolean' } }
export const list: Kind<readonly string[]> = { shape: { is: 'list' } }
/** One of these words, the same in every language. */
export const choice = <Name extends string>(...names: readonly Name[]): Kind<Name> => ({
  shape: textShape(true, 'none', {
    check: text =>
      names.includes(text as Name) ? null : `must be one of ${names.map(name => `"${name}"`).join(', ')}`,
  }),
  fact: true,
})

type Fields = Readonly<Record<string, Kind<unknown>>>
type Optional<F extends Fields> = { [Name in keyof F]: undefined extends ValueOf<F[Name]> ? Name : never }[keyof F]
export type ValuesOf<F extends Fields> = {
  readonly [Name in Exclude<keyof F, Optional<F>>]: ValueOf<F[Name]>
} & { readonly [Name in Optional<F>]?: Exclude<ValueOf<F[Name]>, undefined> }

export const group = <F extends Fields>(fields: F): Kind<ValuesOf<F>> => ({ shape: { is: 'group', fields } })

export const hideable = <Value>(kind: Kind<Value>): Kind<Value | null> => ({
  ...(kind as Kind<Value | null>),
  canHide: true,
})

/** Undefined if it's left out. */
export const maybe = <Value>(kind: Kind<Value>): Kind<Value | undefined> => ({
  ...(kind as Kind<Value | undefined>),
  optional: true,
})

/** Null if it's empty, or if it inserts something that is hidden. */
export const removable = hideable(sentence())

/** A list whose items have names. Each can be hidden, and `order` says which are shown, and in which order. */
export const items = <Value>(item: Kind<Value>): Kind<readonly Value[]> => ({
  shape: { is: 'items', item: { ...item, canHide: true }, named: false },
})

/** The same with each item's name as its `name`. */
export const namedItems = <Value extends object>(
  item: Kind<Value>,
): Kind<readonly (Value & { readonly id: string })[]> => ({
  shape: { is: 'items', item: { ...item, canHide: true }, named: true },
})

/** Null: any. */
type Names = readonly string[] | 'questions' | null

export const record = <Name extends string, Value>(
  names: readonly Name[] | 'questions' | null,
  item: Kind<Value>,
): Kind<Readonly<Record<Name, Value>>> => ({ shape: { is: 'record', item, names } })

export const inEachLanguage = <Value>(item: Kind<Value>): Kind<InEachLanguage<Value>> => record(['en', 'es'], item)
