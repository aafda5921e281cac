/** `approve`, `reject`, and `resend`: domain/lead-actions.ts describes them; this is how the terminal chooses and asks. */

import { DO_NOT_CALL } from '../../domain/hold-reasons.ts'
import { type BulkActionName, bulkAction } from '../../domain/lead-actions.ts'
import { plain } from '../../server/export/plain-text.ts'
import type { LeadFilter, LeadRecord } from '../../server/store/lead-records.ts'
import { leadPages } from '../../server/store/leads.ts'
import type { Store } from '../../server/store/store.ts'
import { type Command, CommandError, type Options, type Run, UsageError } from '../command.ts'
import { waitingNote } from '../deliveries.ts'
import { rangeOptions, readRange } from '../options/filter.ts'
import { findLeadId, readLeadId } from '../options/who.ts'
import { confirm, yesOption } from '../terminal/ask.ts'
import { counted } from '../terminal/words.ts'
import { actingUser, byOption, withStore } from '../with-store.ts'

const BATCH = 500
const MAX_REASON = 200

interface Order {
  readonly ids: readonly string[]
  readonly by: string
  readonly reason: string
}

interface Verb {
  readonly action: BulkActionName
  /** How leads are chosen without naming them. */
  readonly many?: {
    readonly usage: readonly string[]
    readonly options: Options
    /** Undefined if no such option is given. */
    readonly filter: (run: Run) => LeadFilter | undefined
  }
  readonly options?: Options
  readonly examples: readonly string[]
  /** How many were changed. */
  readonly change: (store: Store, order: Order) => Promise<number>
}

export const approve = commandFor({
  action: 'approve',
  many: {
    usage: ['--all [--yes]'],
    options: { all: { about: 'All leads on hold, except people on the do-not-call list.' } },
    filter: ({ args }) => (args.isSet('all') ? { state: 'held' } : undefined),
  },
  examples: ['0195f2d1', '0195f2d1-9a3c 0195f2d4', '--all'],
  change: (store, order) => store.release(order),
})

export const reject = commandFor({
  action: 'reject',
  options: {
    reason: {
      value: 'TEXT',
      about: `Why, in up to ${MAX_REASON} characters. Deleted when the person’s data is erased.`,
    },
  },
  examples: ['0195f2d1 --reason "Mickey Mouse"', '0195f2d1-9a3c 0195f2d4 --reason "our own test"'],
  change: (store, order) => store.reject(order),
})

export const resend = commandFor({
  action: 'resend',
  many: {
    usage: ['--dead [--since WHEN] [--until WHEN] [--yes]', '--since WHEN [--until WHEN] [--yes]'],
    options: { dead: { about: 'Leads whose delivery failed.' }, ...rangeOptions },
    filter(run) {
      const range = readRange(run)
      if (run.args.isSet('dead')) return { ...range, delivery: 'dead' }
      return Object.keys(range).length > 0 ? { ...range, state: 'accepted' } : undefined
    },
  },
  examples: ['0195f2d1', '--dead', '--since 2030-01-31 --until 2030-02-01'],
  change: (store, { ids, by }) => store.redeliver({ ids, by, again: true }),
})

function commandFor(verb: Verb): Command {
  const { about, bulk, confirm: single } = bulkAction(verb.action)
  const asksReason = single?.asks === 'reason'
  return {
    summary: about,
    usage: [`ID …${asksReason ? ' --reason TEXT' : ''}`, ...(verb.many?.usage ?? [])],
    about:
      `${bulk.will('They')} ${bulk.skipped}\nIf you list IDs, it’s all or nothing: if one can’t be changed, none are.` +
      (verb.many ? ' Leads are skipped only with the other options.' : ''),
    options: { ...verb.options, ...(verb.many && { ...verb.many.options, ...yesOption }), ...byOption },
    examples: verb.examples,
    maxPositionals: Number.POSITIVE_INFINITY,
    run(run) {
      const filter = verb.many?.filter(run)
      const named = run.args.positionals.map(readLeadId)
      if ((filter !== undefined) === named.length > 0) {
        const ways = ['IDs', ...Object.keys(verb.many?.options ?? {}).map(name => `--${name}`)]
        throw new UsageError(`Specify which leads: ${ways.join(', ')}.`)
      }
      const order = { by: actingUser(run.args), reason: asksReason ? readReason(run) : '' }
      return withStore(run, 'write', store => {
        const job = { verb, run, store, order }
        return filter ? changeMany(job, filter) : changeNamed(job, named)
      })
    },
  }
}

interface Job {
  readonly verb: Verb
  readonly run: Run
  readonly store: Store
  readonly order: Omit<Order, 'ids'>
}

const notChecked = { email: false, phone: false }

async function changeNamed({ verb, run, store, order }: Job, named: readonly string[]): Promise<void> {
  const { applies, unavailable, bulk } = bulkAction(verb.action)
  const ids = [...new Set(await Promise.all(named.map(id => findLeadId(store, id))))]
  const now = await store.storeTime()
  for (const lead of await store.leadsWithIds(ids)) {
    const status = { ...lead, doNotCall: notChecked }
    if (!applies(status, now)) throw new CommandError(`Lead ${lead.id}: ${unavailable?.(status)}`)
  }
  const changed = await verb.change(store, { ...order, ids })
  if (changed < ids.length) {
    const result = changed === 0 ? 'Nothing was changed' : `Only ${changed} of ${ids.length} leads ${bulk.done}`
    const why = 'a lead was changed by someone else, or the person submitted a newer one. See npm run leads -- show ID'
    throw new CommandError(`${result}: ${why}`)
  }
  await run.notes.write(`${counted(ids.length, 'lead')} ${bulk.done}.${await noteFor(verb, run, store)}\n`)
}

/** Changes exactly the leads it asked about: no one on the do-not-call list, and no later arrivals. */
async function changeMany({ verb, run, store, order }: Job, filter: LeadFilter): Promise<void> {
  const { label, applies, bulk } = bulkAction(verb.action)
  const now = await store.storeTime()
  const isFit = (lead: LeadRecord) => lead.state !== 'rejected' && applies({ ...lead, doNotCall: notChecked }, now)
  const chosen: string[] = []
  let listed = 0
  for await (const page of leadPages(store, { filter, order: 'oldest first', limit: BATCH })) {
    const fit = page.filter(isFit)
    const callable = await notListed(store, fit)
    chosen.push(...callable)
    listed += fit.length - callable.length
  }
  const anyway = `To ${label.toLowerCase()} one anyway, use its ID.`
  const onList = `${counted(listed, 'lead')} on the do-not-call list`
  const willSkip = listed === 0 ? '' : ` ${onList} will be skipped. ${anyway}`
  const skipped = listed === 0 ? '' : ` Skipped ${onList}. ${anyway}`
  if (chosen.length > 1) await confirm(run, `${bulk.will(counted(chosen.length, 'lead'))}${willSkip}`)
  let changed = 0
  for (let start = 0; start < chosen.length; start += BATCH) {
    // Someone else may have changed them since the question.
    const current = await store.leadsWithIds(chosen.slice(start, start + BATCH))
    const ids = await notListed(store, current.filter(isFit))
    if (ids.length > 0) changed += await verb.change(store, { ...order, ids })
  }
  const others = chosen.length - changed
  const missed = others > 0 ? ` ${others} skipped because someone else changed ${others === 1 ? 'it' : 'them'}.` : ''
  const note = changed > 0 ? await noteFor(verb, run, store) : ''
  await run.notes.write(`${counted(changed, 'lead')} ${bulk.done}.${missed}${skipped}${note}\n`)
}

async function notListed(store: Store, leads: readonly LeadRecord[]): Promise<readonly string[]> {
  const listed = new Set(await store.suppressedLeads(leads.map(({ id }) => id)))
  return leads.filter(({ id, heldReason }) => !listed.has(id) && heldReason !== DO_NOT_CALL).map(({ id }) => id)
}

async function noteFor({ action }: Verb, run: Run, store: Store): Promise<string> {
  return bulkAction(action).confirm?.sends ? waitingNote(run, store) : ''
}

function readReason({ args }: Run): string {
  const reason = plain(args.text('reason') ?? '').trim()
  if (reason === '' || reason.length > MAX_REASON) {
    throw new UsageError(`Specify a reason, in up to ${MAX_REASON} characters: --reason "a few words".`)
  }
  return reason
}
