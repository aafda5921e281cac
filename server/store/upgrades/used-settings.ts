/** What an upgrade can't tell from the store alone. */
export interface UsedSettings {
  /** Whether staff call leads from the desk. */
  readonly callList: boolean
  readonly webhookUrl: string | null
}

export const defaultSettings: UsedSettings = { callList: true, webhookUrl: null }
