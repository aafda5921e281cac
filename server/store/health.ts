/** What an engine reports about its store to the operator. */
export interface StoreHealth {
  /** Unusable: it cannot be opened, and the message says why and what to do. */
  readonly status: { kind: 'missing'; place: string } | { kind: 'unusable'; message: string } | UsableStore
  /** Null when the store is not on a disk of this machine. */
  readonly disk: { readonly folder: string; readonly files: readonly string[] } | null
}

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
