/** `erase`: a person's data goes, the proof of consent stays. */
import { eraseLeads, leadsOfPerson, type Person } from '../../server/leads/erase-leads.ts'
import type { Command, Typed } from '../command.ts'
import { confirm, yesOption } from '../confirm.ts'
import { exitCodes, Failure, Misuse } from '../failure.ts'
import { readLeadId } from '../lead-options.ts'
import { withStore } from '../store.ts'
import { counted } from '../words.ts'

export const erase: Command = {
  summary: 'A person’s data goes for good; the minimal proof of consent stays.',
  usage: ['--id ID [--yes]', '--email ADDRESS [--yes]', '--phone NUMBER [--yes]'],
  about:
    'Erases all leads of a person: names, date of birth, e-mail, phone, address, browser, campaign and certificate. What\n' +
    'stays: the id, when and from which page, which consent text was agreed to, the history, and that it was erased. A\n' +
    'delivery that was not made yet is cancelled. This cannot be taken back, and it reaches only this store: erase the\n' +
    'person also where leads were delivered to, in exports and in backups.',
  options: {
    id: { value: 'ID', about: 'The person of this lead: all leads with the same e-mail and phone.' },
    email: { value: 'ADDRESS', about: 'All leads with this e-mail address, in capitals or not.' },
    phone: { value: 'NUMBER', about: 'All leads with this phone number, however it is written.' },
    ...yesOption,
  },
  examples: ['--email ada@example.org', '--phone "(555) 010-2030"', '--id 0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d --yes'],
  mostWords: 0,
  async run(run) {
    const { typed, notes, now } = run
    const person = readPerson(typed)
    return withStore(run, 'write', async database => {
      const ids = await leadsOfPerson(database, person)
      if (ids.length > 0 && !(await confirm(run, `Erase ${counted(ids.length, 'lead')} for good?`))) {
        return exitCodes.failed
      }
      // Also with none left: an erasure that was cut short may have left bytes in the log.
      const { leads, unreadable } = await eraseLeads(database, ids, now())
      if (!unreadable) {
        throw new Failure(
          `${counted(leads, 'lead')} erased, but another program is reading the store: old bytes may stay in its files. Run this command again.`,
        )
      }
      if (leads === 0) throw new Failure('No lead of this person is in the store.')
      await notes.write(`${counted(leads, 'lead')} erased. Erase the person also where leads are delivered to.\n`)
      return exitCodes.done
    })
  },
}

function readPerson(typed: Typed): Person {
  const [given, ...others] = ['id', 'email', 'phone'].filter(name => typed.isSet(name))
  if (given === undefined || others.length > 0) throw new Misuse('Say who: one of --id, --email and --phone.')
  const value = typed.text(given) ?? ''
  if (given === 'id') return { id: readLeadId(value) }
  if (given === 'email') return { email: value }
  if (!/^1?\d{10}$/.test(value.replace(/\D/g, ''))) throw new Misuse('--phone must have 10 digits.')
  return { phone: value }
}
