/** What the desk does with leads beyond what servers and commands do. Part of the store's operations. */
export interface DeskLeadsStore {
  /**
   * From receipt to the webhook's yes, in milliseconds, of the latest leads since a time that were delivered, without those that
   * were held or sent again. Looked for among the latest ten times `limit`.
   */
  webhookTimes(request: { readonly since: number; readonly limit: number }): Promise<readonly number[]>
}
