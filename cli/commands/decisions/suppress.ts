/** `suppress`: the do-not-call list. */
import { readFileSync } from 'node:fs'
import type { Store } from '../../../server/store/store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { askedPersonOptions, type Contact, parseContact, readContact } from '../../leads/person.ts'
import { calendarOf } from '../../leads/when.ts'
import { byOption, whoActs } from '../../leads/who-asks.ts'
import { withStore } from '../../leads/with-store.ts'
import { counted } from '../../terminal/words.ts'

const PAGE = 1000
const MOST_LINES_NAMED = 10
const MOST_LEADS_NAMED = 50

export const suppress: Command = {
  summary: 'The do-not-call list: add, remove, and show entries.',
  usage: ['[--remove]', '--phone [NUMBER] [--remove]', '--email [ADDRESS] [--remove]', 'FILE [--remove]', '--list'],
  about:
    'Puts an email address or phone number on the do-not-call list, or removes it. Later leads with it are put on hold;\n' +
    '`release` with the lead’s id sends one anyway, `release --all` does not. Leads that are still to be delivered are put\n' +
    'on hold, too. Leads that were already sent are listed: tell the people who received them.\n' +
    'The list stays when a person is erased, and is backed up and moved with the store.\n' +
    'FILE has one address or number per line; text after a # is ignored. If any line is neither, nothing is changed.',
  options: {
    ...askedPersonOptions,
    list: { about: 'Show the list, one entry per line, with the day it was added.' },
    remove: { about: 'Remove it from the list.' },
    ...byOption,
  },
  examples: ['', '--phone', 'asked-not-to-be-called.txt', '--phone --remove', '--list > do-not-call.txt'],
  mostWords: 1,
  async run(run) {
    const { typed } = run
    const by = whoActs(typed)
    const [file] = typed.words
    if (typed.isSet('list')) {
      if (file !== undefined || ['email', 'phone', 'remove'].some(name => typed.isSet(name))) {
        throw new Misuse('--list takes no other option.')
      }
      return withStore(run, 'read', store => show(run, store))
    }
    if (file !== undefined && (typed.isSet('email') || typed.isSet('phone'))) {
      throw new Misuse('Give a file or an option, not both.')
    }
    const contacts = file === undefined ? [await readContact(run)] : readContacts(file)
    return withStore(run, 'write', store => change(run, store, { contacts, by }))
  },
}

async function change(
  run: Run,
  store: Store,
  order: { readonly contacts: readonly Contact[]; readonly by: string },
): Promise<number> {
  const { contacts } = order
  if (run.typed.isSet('remove')) {
    const removed = await store.unsuppress(order)
    if (removed === 0)
      throw new Failure(contacts.length === 1 ? 'It was not on the list.' : 'None of them was on the list.')
    await run.notes.write(`${counted(removed, 'entry', 'entries')} removed from the do-not-call list.\n`)
    return exitCodes.done
  }
  const { added, held, underWay } = await store.suppress(order)
  const before = new Set(contacts.map(contact => JSON.stringify(contact))).size - added
  const known = before > 0 ? ` ${counted(before, 'was', 'were')} already on it.` : ''
  await run.notes.write(`${counted(added, 'entry', 'entries')} added to the do-not-call list.${known}\n`)
  if (held.length > 0) await run.notes.write(`Put on hold before delivery: ${named(held)}\n`)
  if (underWay.length > 0) {
    await run.notes.write(`Being sent right now: ${named(underWay)}. \`show ID\` tells how it ended.\n`)
  }
  const sent = await delivered(store, contacts)
  if (sent.length > 0) {
    await run.notes.write(`Already sent to the webhook; tell the people who received it: ${named(sent)}\n`)
  }
  return exitCodes.done
}

function named(ids: readonly string[]): string {
  return ids.slice(0, MOST_LEADS_NAMED).join(', ') + (ids.length > MOST_LEADS_NAMED ? ', …' : '')
}

async function delivered(store: Store, contacts: readonly Contact[]): Promise<readonly string[]> {
  const ids = new Set<string>()
  // Each number is looked up in the whole index: a long list would take hours.
  for (const contact of contacts.length > 100 ? [] : contacts) {
    for (const { id, delivery } of await store.leadsOfPerson(contact)) if (delivery?.state === 'delivered') ids.add(id)
  }
  return [...ids]
}

async function show(run: Run, store: Store): Promise<number> {
  const calendar = calendarOf(run)
  for (let after = ''; ; ) {
    const entries = await store.suppressions({ after, limit: PAGE })
    for (const { contact, addedAt } of entries) await run.out.write(`${contact}  # ${calendar.inWords(addedAt)}\n`)
    if (entries.length < PAGE) return exitCodes.done
    after = entries.at(-1)?.contact ?? ''
  }
}

/** Wrong lines are reported by number only: they may hold personal data. */
function readContacts(file: string): readonly Contact[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new Failure(`${file} cannot be read.`)
  }
  const wrong: number[] = []
  const contacts = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, index) => {
      const entry = line.replace(/#.*$/, '').trim()
      try {
        return entry === '' ? [] : [parseContact(entry)]
      } catch {
        wrong.push(index + 1)
        return []
      }
    })
  if (wrong.length > 0) {
    const lines = wrong.slice(0, MOST_LINES_NAMED).join(', ') + (wrong.length > MOST_LINES_NAMED ? ', …' : '')
    throw new Failure(`Nothing was changed: ${file} has neither an email address nor a phone number in line ${lines}.`)
  }
  if (contacts.length === 0) throw new Failure(`${file} has no email addresses or phone numbers.`)
  return contacts
}
