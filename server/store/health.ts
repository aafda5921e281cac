/** A report on the store, for the operator. */
export type StoreHealth =
  | { readonly kind: 'missing'; readonly place: string }
  /** The store can't be opened; the message says why and what to do. */
  | { readonly kind: 'unusable'; readonly message: string }
  | UsableStore

interface UsableStore extends EngineHealth {
  readonly kind: 'usable'
  readonly version: number
  readonly bytes: number
  /** Why the store isn't accepting writes, or null. */
  readonly writeError: string | null
}

/** The part of the report that comes from the engine. */
export interface EngineHealth {
  readonly place: string
  /** Whether an acknowledged lead survives a power outage, and what to do if it doesn't. */
  readonly durability: { readonly safe: boolean; readonly message: string }
  readonly intact: boolean
  /** Without an index, search reads every lead. `create` is the SQL that creates it. */
  readonly search: { readonly indexed: true } | { readonly indexed: false; readonly create: string }
}
