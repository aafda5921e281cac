/** `suppress`: the do-not-call list. Later leads of those on it are held. */
import { readFileSync } from 'node:fs'
import type { Store } from '../../../server/store/store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { askedPersonOptions, type Contact, parseContact, readContact } from '../../leads/person.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { counted } from '../../terminal/words.ts'

const PAGE = 1000
const MOST_LINES_NAMED = 10
const MOST_LEADS_NAMED = 50

export const suppress: Command = {
  summary: 'The do-not-call list: whose leads are held, and not delivered any more.',
  usage: ['[--remove]', '--phone [NUMBER] [--remove]', '--email [ADDRESS] [--remove]', 'FILE [--remove]', '--list'],
  about:
    'Puts an e-mail address or a phone number on the do-not-call list, or takes it off. A later lead with that address or\n' +
    'number is held, whatever else it says; `release` with its id releases it, `release --all` does not. The list stays\n' +
    'when a person is erased, and is moved and backed up with the store.\n' +
    'Leads of theirs that are still to be delivered are held, too; what has left for the webhook is named, since whoever\n' +
    'got it must be told.\n' +
    'FILE has one address or number a line; what follows a # is passed over. With a line that is neither, nothing is\n' +
    'done.',
  options: {
    ...askedPersonOptions,
    list: { about: 'Show the list, one a line, with the day it was put there.' },
    remove: { about: 'Take it off the list.' },
  },
  examples: ['', '--phone', 'asked-not-to-be-called.txt', '--phone --remove', '--list > do-not-call.txt'],
  mostWords: 1,
  async run(run) {
    const { typed } = run
    const [file] = typed.words
    if (typed.isSet('list')) {
      if (file !== undefined || ['email', 'phone', 'remove'].some(name => typed.isSet(name))) {
        throw new Misuse('--list stands alone.')
      }
      return withStore(run, 'read', store => show(run, store))
    }
    if (file !== undefined && (typed.isSet('email') || typed.isSet('phone'))) {
      throw new Misuse('Say who by a file or by an option, not by both.')
    }
    const contacts = file === undefined ? [await readContact(run)] : readContacts(file)
    return withStore(run, 'write', store => change(run, store, contacts))
  },
}

async function change(run: Run, store: Store, contacts: readonly Contact[]): Promise<number> {
  if (run.typed.isSet('remove')) {
    const removed = await store.unsuppress(contacts)
    if (removed === 0) throw new Failure('Nobody of them was on the list.')
    await run.notes.write(`${counted(removed, 'entry', 'entries')} taken off the do-not-call list.\n`)
    return exitCodes.done
  }
  const added = await store.suppress(contacts)
  const before = new Set(contacts.map(contact => JSON.stringify(contact))).size - added
  const known = before > 0 ? ` ${counted(before, 'was', 'were')} there already.` : ''
  await run.notes.write(`${counted(added, 'entry', 'entries')} put on the do-not-call list.${known}\n`)
  const { held, underWay } = await store.withhold(contacts)
  if (held.length > 0) {
    const leads = counted(held.length, 'lead of theirs was', 'leads of theirs were')
    await run.notes.write(
      `${leads} still to be delivered, and ${held.length === 1 ? 'is' : 'are'} held: ${named(held)}\n`,
    )
  }
  if (underWay.length > 0) {
    await run.notes.write(`Under way at this moment: ${named(underWay)}. \`show ID\` will tell how it ended.\n`)
  }
  const sent = await delivered(store, contacts)
  if (sent.length > 0) {
    const leads = counted(sent.length, 'lead of theirs has', 'leads of theirs have')
    await run.notes.write(
      `${leads} left for the webhook before: tell whoever got ${sent.length === 1 ? 'it' : 'them'}. ${named(sent)}\n`,
    )
  }
  return exitCodes.done
}

function named(ids: readonly string[]): string {
  return ids.slice(0, MOST_LEADS_NAMED).join(', ') + (ids.length > MOST_LEADS_NAMED ? ', …' : '')
}

async function delivered(store: Store, contacts: readonly Contact[]): Promise<readonly string[]> {
  const ids = new Set<string>()
  // Each number is looked for in the whole index: a long list would take hours.
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

/** Lines that are neither are told by their number: what stands there is a person's. */
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
    throw new Failure(`Nothing was done: of ${file}, neither an e-mail address nor a phone number is in line ${lines}.`)
  }
  if (contacts.length === 0) throw new Failure(`${file} has no address and no number in it.`)
  return contacts
}
