/** How the operator says who is meant: by address, number or lead. Best not in the command line, which a shell remembers. */
import type { Person } from '../../server/store/lead-records.ts'
import type { Run } from '../command.ts'
import { Misuse } from '../failure.ts'
import { ask } from '../terminal/ask.ts'
import { readLeadId } from './lead-ids.ts'
import { personOptions, readPhone } from './lead-options.ts'

export const askedPersonOptions = {
  email: { ...personOptions.email, valueAsked: true },
  phone: { ...personOptions.phone, valueAsked: true },
} as const

export type Contact = Exclude<Person, { readonly id: string }>

export async function readPerson(run: Run): Promise<Person> {
  const { typed } = run
  if (typed.isSet('id') && !typed.isSet('email') && !typed.isSet('phone')) {
    return { id: readLeadId(typed.text('id') ?? '') }
  }
  return readContact(run, ['id', 'email', 'phone'])
}

/** An address or a number, asked for where it was not typed. */
export async function readContact(run: Run, ways: readonly string[] = ['email', 'phone']): Promise<Contact> {
  const { typed, stdin } = run
  const [given, ...others] = ways.filter(name => typed.isSet(name))
  if (others.length > 0 || (given === undefined && !stdin.isTTY)) {
    const listed = ways.map(name => `--${name}`)
    throw new Misuse(`Say who: one of ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}.`)
  }
  if (given === 'email') return readEmail(typed.text('email') || (await ask(run, 'E-mail address: ')))
  if (given === 'phone') return { phone: readPhone(typed.text('phone') || (await ask(run, 'Phone number: '))) }
  return parseContact(await ask(run, 'E-mail address or phone number: '))
}

export function parseContact(text: string): Contact {
  return text.includes('@') ? readEmail(text) : { phone: readPhone(text) }
}

/** Not repeated when it is wrong: it is a person's. */
function readEmail(value: string): Contact {
  if (/^[^\s@]+@[^\s@]+$/.test(value.trim())) return { email: value }
  throw new Misuse('--email must be an e-mail address.')
}
