/** What is asked for when leads are erased, and what is answered. */

export interface ErasureOrder {
  readonly ids: readonly string[]
  /** ERASURE_KEY: what stays of address and number is hashed with it. */
  readonly key: string
  /** The key may differ from the one used until now. */
  readonly newKey?: boolean
  /** For the history, when nobody asked for it at this moment. */
  readonly because?: 'retention' | 'restored backup'
  /** Who asked for it, for the history. */
  readonly by?: string
}

export interface Erasure {
  readonly leads: number
  /** Those whose data had left for the webhook, or was just leaving. */
  readonly sent: readonly SentLead[]
  /**
   * Where the erased bytes may still be found: nowhere; in the store's files, since another process is reading them; a
   * campaign in an unused part of them, until the server starts next; or in the files of a database server, which writes over
   * them in its own time.
   */
  readonly traces: 'none' | 'until readers end' | 'until the next start' | 'until the server reuses the space'
}

export interface SentLead {
  readonly id: string
  readonly deliveredAt: number | null
  /** Each has carried the data away, whether it was confirmed or not. */
  readonly attempts: number
  readonly underWay: boolean
}
