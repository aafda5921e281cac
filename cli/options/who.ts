/** Reads lead IDs and contacts. Prompts for contacts, since shell history keeps arguments. */
import type { Person } from '../../server/store/lead-records.ts'
import type { Store } from '../../server/store/store.ts'
import { CommandError, type Run, UsageError } from '../command.ts'
import { ask } from '../terminal/ask.ts'

const SHORTEST_ID = 8
const MAX_NAMED = 4

/** An ID, or enough of its start. Checks the form only, so that a typo is reported before the store is opened. */
export function readLeadId(typed: string): string {
  const id = typed.trim().toLowerCase()
  if (/^[0-9a-f]{8}[0-9a-f-]{0,28}$/.test(id)) return id
  throw new UsageError(`Not a lead ID. Use at least ${SHORTEST_ID} characters of an ID from \`list\`.`)
}

/** The whole ID. */
export async function findLeadId(store: Store, start: string): Promise<string> {
  const ids = await store.idsBeginningWith({ beginning: start, limit: MAX_NAMED + 1 })
  const [id] = ids
  if (id === undefined) throw new CommandError(`No lead found with ID ${start}.`)
  if (ids.length === 1) return id
  const named = ids.length > MAX_NAMED ? [...ids.slice(0, MAX_NAMED), '…'] : ids
  throw new CommandError(`Several lead IDs start with ${start}. Use more characters: ${named.join(', ')}`)
}

/** As short as possible while all differ. IDs start with the time, so leads of the same minute need more characters. */
export function shortIds(ids: readonly string[]): readonly string[] {
  let length = SHORTEST_ID
  while (new Set(ids.map(id => id.slice(0, length))).size < new Set(ids).size) length++
  return ids.map(id => id.slice(0, length))
}

export const personOptions = {
  email: { value: 'ADDRESS', about: 'An email address. Not case-sensitive.' },
  phone: { value: 'NUMBER', about: 'A phone number, in any format.' },
} as const

/** For the help of commands that read a contact. */
export const CONTACT_PROMPT_HELP =
  'Without --email or --phone, you’re prompted for one, which keeps it out of your shell history. Use - as the value to read it from standard input.'

export type Contact = Exclude<Person, { readonly id: string }>

export async function readContact(run: Run): Promise<Contact> {
  const { args, stdin } = run
  const [email, phone] = [args.text('email'), args.text('phone')]
  if (email !== undefined && phone !== undefined) throw new UsageError('Use only one of --email and --phone.')
  if (email !== undefined) return readEmail(email === '-' ? await ask(run, 'Email address: ') : email)
  if (phone !== undefined) return { phone: readPhone(phone === '-' ? await ask(run, 'Phone number: ') : phone) }
  if (!stdin.isTTY) throw new UsageError('Specify a person: --email ADDRESS or --phone NUMBER.')
  return parseContact(await ask(run, 'Email address or phone number: '))
}

export function parseContact(text: string): Contact {
  return text.includes('@') ? readEmail(text) : { phone: readPhone(text) }
}

/** Errors don't repeat what was typed: it is personal data. */
function readEmail(value: string): Contact {
  if (/^[^\s@]+@[^\s@]+$/.test(value.trim())) return { email: value }
  throw new UsageError('Not a valid email address.')
}

export function readPhone(value: string): string {
  if (/^1?\d{10}$/.test(value.replace(/\D/g, ''))) return value
  throw new UsageError('A phone number must have 10 digits.')
}
