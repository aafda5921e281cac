/** What the desk does with leads beyond what servers and commands do. Part of the store's operations. */
export interface DeskLeadsStore {
  /** Puts a lead's own contacts on the do-not-call list or takes them off. How many were changed; null without such data. */
  suppressLead(order: LeadSuppression): Promise<number | null>
  unsuppressLead(order: LeadSuppression): Promise<number | null>
  /** Which of the lead's contacts are on the list. */
  listedContacts(leadId: string): Promise<readonly ContactKind[]>

  /**
   * From receipt to the webhook's yes, in milliseconds, of the latest leads since a time that were delivered, without those that
   * were held or sent again. Looked for among the latest ten times `limit`.
   */
  webhookTimes(request: { readonly since: number; readonly limit: number }): Promise<readonly number[]>
}

export type ContactKind = 'email' | 'phone'

export interface LeadSuppression {
  readonly leadId: string
  readonly contacts: readonly ContactKind[]
  readonly by: string
}
