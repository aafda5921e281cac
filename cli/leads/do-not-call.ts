/** `do-not-call`: adds to the do-not-call list, or prints it. Removing someone takes a person, in the desk. */
import { e164 } from '../../domain/contact/phone.ts'
import { pluralize } from '../../domain/text/numbers.ts'
import { plain } from '../../server/export/plain-text.ts'
import { sendsEvents } from '../../server/settings/config.ts'
import type { Store } from '../../server/store/store.ts'
import { type Command, CommandError, type Run, UsageError } from '../command.ts'
import { byOption, CONTACT_PROMPT_HELP, type Contact, personOptions, readContact } from '../options.ts'
import { readTextFile } from '../terminal/output.ts'
import { readContactFile } from './contact-file.ts'

const PAGE = 1000
const MAX_LISTED = 50

const FILE =
  'FILE has one email or phone number per line, or is a table (CSV) whose columns are named email and phone. Without names, text after a # is ignored. If any line can’t be read, nothing changes.'

export const doNotCall: Command = {
  summary: 'Add phone numbers and emails to the do-not-call list, or show it.',
  argument: '[FILE]',
  about:
    'Unsent leads with a phone number or email on the list are closed. New ones go on hold for review and can’t be sent until the person is removed from the list. Your CRM is told about leads that it has; with LEAD_WEBHOOK_FORMAT=query, Health in the desk lists them, so someone tells it.\n' +
    `To remove someone, use the desk’s Do-not-call list: it records who asked. The list is kept when a person’s data is erased. Backups and moves include it.\n${FILE}\n${CONTACT_PROMPT_HELP}`,
  options: {
    ...personOptions,
    list: { about: 'Show the list, one entry per line, with the time it was added.' },
    json: { about: 'With --list: print JSON.' },
    ...byOption,
  },
  examples: ['', 'asked-not-to-be-called.txt', '--phone "(555) 234-5678"', '--list > do-not-call.txt'],
  async run(run) {
    if (run.args.isSet('list')) return showList(run, await run.openStore('read'))
    if (run.args.isSet('json')) throw new UsageError('--json only works with --list.')
    const contacts = await readContacts(run)
    await add(run, await run.openStore('write'), contacts)
  },
}

async function add(run: Run, store: Store, contacts: readonly Contact[]): Promise<void> {
  const { notes } = run
  const order = { contacts, by: run.by(), source: 'terminal' as const }
  const { added, told } = await store.addToDoNotCall(order)
  const before = new Set(contacts.map(contact => JSON.stringify(contact))).size - added.length
  const known = before > 0 ? ` ${pluralize(before, 'was', 'were')} already on it.` : ''
  await notes.write(`${pluralize(added.length, 'entry', 'entries')} added to the do-not-call list.${known}\n`)
  if (told.length === 0) return
  const who = sendsEvents(run.readConfig()) ? 'It will be told' : 'Tell it; Health in the desk lists them, too'
  await notes.write(`Your CRM has or may have these leads. ${who}: ${formatList(told)}\n`)
}

function formatList(items: readonly (string | number)[]): string {
  return items.slice(0, MAX_LISTED).join(', ') + (items.length > MAX_LISTED ? ', …' : '')
}

async function showList(run: Run, store: Store): Promise<void> {
  if (run.args.isSet('json')) {
    const entries: object[] = []
    for await (const { contact, addedAt } of listEntries(store)) {
      entries.push({ ...contactOf(contact), addedAt: new Date(addedAt).toISOString() })
    }
    return run.json(entries)
  }
  const calendar = run.calendar()
  let isEmpty = true
  for await (const { contact, addedAt } of listEntries(store)) {
    isEmpty = false
    await run.out.write(`${plain(contact)}  # ${calendar.format(addedAt)}\n`)
  }
  if (isEmpty) await run.notes.write('The do-not-call list is empty.\n')
}

async function* listEntries(store: Store) {
  for (let after = ''; ; ) {
    const entries = await store.doNotCallList({ after, limit: PAGE })
    yield* entries
    if (entries.length < PAGE) return
    after = entries.at(-1)?.contact ?? ''
  }
}

/** The webhook's field names. */
const contactOf = (entry: string) => (entry.includes('@') ? { email: entry } : { phoneE164: e164(entry) })

/** Reads the file or prompts the operator. Reports invalid lines by number only, because they may contain personal data. */
async function readContacts(run: Run): Promise<readonly Contact[]> {
  const [file] = run.args.positionals
  if (file === undefined) return [await readContact(run)]
  if (run.args.isSet('email') || run.args.isSet('phone')) throw new UsageError('Use a file or an option, not both.')
  const { contacts, unreadable } = readContactFile(readTextFile(file))
  const invalid = `These lines in ${file} can’t be read: ${formatList(unreadable)}. Each needs a valid email address or US phone number; in a table, as many cells as the first row, too.`
  if (unreadable.length > 0) throw new CommandError(`Nothing was changed. ${invalid}`)
  if (contacts.length === 0) throw new CommandError(`${file} has no emails or phone numbers.`)
  return contacts
}
