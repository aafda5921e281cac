/** An engine's report on its store, for the operator. */
export type StoreHealth =
  | { readonly kind: 'missing'; readonly place: string }
  /** The store can't be opened; the message says why and what to do. */
  | { readonly kind: 'unusable'; readonly message: string }
  | UsableStore

export interface UsableStore {
  readonly kind: 'usable'
  readonly place: string
  readonly version: number
  readonly bytes: number
  /** Whether an acknowledged lead survives a power outage, and how, or why not and what to do. */
  readonly durability: { readonly safe: boolean; readonly words: string }
  readonly intact: boolean
  /** Without an index, search reads every lead; `create` is the SQL that creates it. */
  readonly search: { readonly indexed: true } | { readonly indexed: false; readonly create: string }
  /** Why the store doesn't accept writes. */
  readonly writeFault: string | null
}

/** How many leads are in the copy, or why the copy can't be written. */
export type BackupResult = { readonly leads: number } | { readonly unwritable: string }
