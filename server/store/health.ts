/** What an engine finds when it looks at its store for the operator. */
export type StoreHealth =
  | { readonly state: 'missing'; readonly place: string }
  /** Cannot be opened; the message says why and what to do. */
  | { readonly state: 'unusable'; readonly message: string }
  | UsableStore

export interface UsableStore {
  readonly state: 'usable'
  readonly place: string
  readonly version: number
  readonly bytes: number
  /** Why an acknowledged lead could be lost in a power cut, in plain words with what to do; null when it is safe. */
  readonly durabilityFault: string | null
  readonly whole: boolean
  /** Why no lead can be stored now, or null. */
  readonly writeFault: 'locked' | { readonly reason: string } | null
}

/** How many leads are in the copy, or why it could not be written. A store that cannot be read is a StoreUnusable. */
export type BackupResult = { readonly leads: number } | { readonly unwritable: string }
