/** `erase`: a person's data goes, the proof of consent stays. */
import type { Calendar } from '../../../server/calendar.ts'
import type { LeadRecord, Person } from '../../../server/store/lead-records.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { leadIdIn, readLeadId } from '../../leads/lead-ids.ts'
import { personOptions, readPhone } from '../../leads/lead-options.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { ask, confirm, yesOption } from '../../terminal/ask.ts'
import { counted, plain } from '../../terminal/words.ts'

const MOST_NAMED = 20

export const erase: Command = {
  summary: 'A person’s data goes for good; the minimal proof of consent stays.',
  usage: ['[--yes]', '--email [ADDRESS] [--yes]', '--phone [NUMBER] [--yes]', '--id ID [--yes]'],
  about:
    'Erases all leads of a person: names, date of birth, e-mail, phone, address, browser, campaign and certificate. What\n' +
    'stays: the id, when and from which page, which consent text was agreed to, the history, and that it was erased. A\n' +
    'delivery that was not made yet is cancelled. This cannot be taken back, and it reaches only this store: erase the\n' +
    'person also where leads were delivered to, in exports and in backups.\n' +
    'Best without ADDRESS and NUMBER: you are asked for them then, or they are read from standard input. What is typed\n' +
    'into a command line stays in the history of your shell.',
  options: {
    email: { ...personOptions.email, valueAsked: true },
    phone: { ...personOptions.phone, valueAsked: true },
    id: { value: 'ID', about: 'The person of this lead: all leads with the same e-mail and phone.' },
    ...yesOption,
  },
  examples: ['', '--email', '--phone "(555) 010-2030"', '--id 0195f2d1 --yes', '--email --yes < address.txt'],
  mostWords: 0,
  async run(run) {
    const { notes } = run
    const typedPerson = await readPerson(run)
    return withStore(run, 'write', async store => {
      const person = 'id' in typedPerson ? { id: await leadIdIn(store, typedPerson.id) } : typedPerson
      const found = await store.leadsOfPerson(person)
      if (found.length > 0 && !run.typed.isSet('yes')) await notes.write(namesOf(found, calendarOf(run)))
      if (found.length > 0 && !(await confirm(run, `Erase ${counted(found.length, 'lead')} for good?`))) {
        return exitCodes.failed
      }
      const ids = found.map(({ id }) => id)
      // Also with none left: an erasure that was cut short may have left bytes in the log.
      const { leads, traces } = await store.erase(ids)
      if (traces === 'until readers end') {
        throw new Failure(
          `${counted(leads, 'lead')} erased, but another program is reading the store: old bytes may stay in its files. Run this command again.`,
        )
      }
      if (leads === 0) throw new Failure('No lead of this person is in the store.')
      await notes.write(`${counted(leads, 'lead')} erased. Erase the person also where leads are delivered to.\n`)
      if (traces === 'until the server reuses the space') {
        await notes.write(
          'PostgreSQL writes over the old bytes in its own time; its archives and your backups keep them longer.\n',
        )
      }
      return exitCodes.done
    })
  },
}

async function readPerson(run: Run): Promise<Person> {
  const { typed, stdin } = run
  const [given, ...others] = ['id', 'email', 'phone'].filter(name => typed.isSet(name))
  if (others.length > 0 || (given === undefined && !stdin.isTTY)) {
    throw new Misuse('Say who: one of --id, --email and --phone.')
  }
  if (given === 'id') return { id: readLeadId(typed.text('id') ?? '') }
  if (given === 'email') return readEmail(typed.text('email') || (await ask(run, 'E-mail address: ')))
  if (given === 'phone') return { phone: readPhone(typed.text('phone') || (await ask(run, 'Phone number: '))) }
  const answer = await ask(run, 'E-mail address or phone number: ')
  return answer.includes('@') ? readEmail(answer) : { phone: readPhone(answer) }
}

function readEmail(value: string): Person {
  if (value.includes('@')) return { email: value }
  throw new Misuse('--email must be an e-mail address.')
}

/** So that a slip is seen before it is too late. */
function namesOf(leads: readonly LeadRecord[], calendar: Calendar): string {
  const named = leads.slice(0, MOST_NAMED).map(({ firstName, lastName, receivedAt, state, delivery }) => {
    const standing = delivery
      ? delivery.state === 'delivered'
        ? 'delivered'
        : `not delivered (${delivery.state})`
      : state
    return `  ${plain(`${firstName} ${lastName}`)}, received ${calendar.inWords(receivedAt)}, ${standing}\n`
  })
  const more = leads.length - named.length
  return named.join('') + (more > 0 ? `  and ${more} more\n` : '')
}
