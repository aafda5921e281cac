/** What an engine reports about its store to the operator. */
export type StoreHealth =
  | { readonly kind: 'missing'; readonly place: string }
  /** It can't be opened; the message says why and what to do. */
  | { readonly kind: 'unusable'; readonly message: string }
  | UsableStore

export interface UsableStore {
  readonly kind: 'usable'
  readonly place: string
  readonly version: number
  readonly bytes: number
  /** Whether an acknowledged lead is safe from a power cut; in words how, or why not and what to do. */
  readonly durability: { readonly safe: boolean; readonly words: string }
  readonly intact: boolean
  /** False when search has no index and reads every lead; then how to create it. */
  readonly search: { readonly indexed: true } | { readonly indexed: false; readonly create: string }
  readonly writeFault: { readonly lockedForMs: number } | { readonly reason: string } | null
}

/** How many leads are in the copy, or why it could not be written. A store that cannot be read is a StoreUnusable. */
export type BackupResult = { readonly leads: number } | { readonly unwritable: string }
