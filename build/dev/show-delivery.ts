/** A delivery as text for the terminal. Contact details are cut to their first letter unless asked for. */
import type { IncomingMessage } from 'node:http'
import { contactFields } from '../../domain/contact-fields.ts'

interface ShowOptions {
  readonly showContacts: boolean
}

const personal = [...contactFields, 'name', 'e164', 'address', 'ipAddress', 'browser', 'userAgent', 'clientAddress']
const CONTACT_KEY = new RegExp(`^(${personal.join('|')})`, 'i')

export function showDelivery(
  { method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: string,
  options: ShowOptions,
): string {
  const signed = headers['webhook-signature'] === undefined ? 'not signed' : 'signed'
  const lines = [`The webhook got a ${method}, ${headers['webhook-id']}, ${signed}`]
  for (const [name, value] of new URL(url, 'http://webhook').searchParams) {
    lines.push(`  ${name} = ${String(shown(name, value, options))}`)
  }
  if (body !== '') lines.push(...pretty(body, options).map(line => `  ${line}`))
  return `\n${lines.map(line => `  ${line}`).join('\n')}`
}

function pretty(body: string, options: ShowOptions): string[] {
  try {
    return JSON.stringify(
      JSON.parse(body, (name, value) => shown(name, value, options)),
      null,
      2,
    ).split('\n')
  } catch {
    return [`${body.length} bytes that are not JSON`]
  }
}

function shown(name: string, value: unknown, { showContacts }: ShowOptions): unknown {
  if (showContacts || typeof value !== 'string' || !CONTACT_KEY.test(name)) return value
  return value === '' ? '' : `${[...value][0]}…`
}
