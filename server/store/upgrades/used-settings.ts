/** What an upgrade can't tell from the store alone. Without it, what happened so far decides. */
export interface UsedSettings {
  /** Whether staff call leads from the desk. */
  readonly callList?: boolean
  readonly webhookUrl?: string | null
}
