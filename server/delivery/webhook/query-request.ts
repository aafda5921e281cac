/** A lead as the spec's request: a GET with the contact fields, and the certificate where there is one. */
import { type Contact, leadQuery } from '../../../domain/lead.ts'
import type { WebhookRequest } from './exchange.ts'

export interface QueryLead {
  readonly contact: Contact
  readonly certificate: { readonly url: string } | null
}

/** The address may have a query of its own, which stays in front. What is signed is the query string as it arrives. */
export function queryRequest(
  address: string,
  { contact, certificate }: QueryLead,
  sign: (content: string) => Record<string, string>,
): WebhookRequest {
  const url = new URL(address)
  url.search = [url.search.slice(1), leadQuery(contact, certificate?.url)].filter(Boolean).join('&')
  return { method: 'GET', url, headers: { accept: 'application/json', ...sign(url.search.slice(1)) }, body: null }
}
