/** What the CRM hears about a lead that it has, with the label for staff. */
export const crmUpdates = {
  'lead.do_not_call': 'Stop calling',
  /** Never sent: someone tells the CRM. */
  'lead.calls_allowed': 'Calls are allowed again',
  'lead.called': 'Outcome of a call',
  'lead.client': 'Became a client, or didn’t',
  'lead.corrected': 'Corrected contact details',
} as const

export type CrmUpdate = keyof typeof crmUpdates
