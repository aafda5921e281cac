/** `approve`, `reject`, and `resend`: select leads and ask for confirmation. domain/lead-actions.ts describes the actions. */
import { ASKED_NOT_TO_BE_CALLED, DO_NOT_CALL } from '../../domain/hold-reasons.ts'
import { type BulkActionName, bulkAction } from '../../domain/lead-actions.ts'
import { describeLastDecision } from '../../server/record/last-decision.ts'
import { LEADS } from '../../server/settings/leads-command.ts'
import type { LeadFilter, LeadRecord } from '../../server/store/leads/lead-records.ts'
import { leadPages } from '../../server/store/leads/leads.ts'
import type { SeenLead } from '../../server/store/leads/review.ts'
import type { Store } from '../../server/store/store.ts'
import { type Command, CommandError, type Options, type Run, UsageError } from '../command.ts'
import { waitingNote } from '../deliveries.ts'
import { byOption, findLeadId, parseLeadId, rangeOptions, readRange, readReason } from '../options.ts'
import { confirm, yesOption } from '../terminal/ask.ts'
import { pluralize } from '../terminal/text.ts'

const PAGE = 500
const BATCH = 50

interface ActionCommand {
  readonly action: BulkActionName
  /** Options that select leads by filter instead of by ID. `filter` returns undefined if none are set. */
  readonly many?: { readonly options: Options; readonly filter: (run: Run) => LeadFilter | undefined }
  readonly options?: Options
  readonly examples: readonly string[]
  /** Returns how many leads were changed. */
  readonly change: (store: Store, request: ChangeRequest) => Promise<number>
}

interface ChangeRequest {
  readonly ids: readonly string[]
  /** The leads as they were when you confirmed. */
  readonly seen: Readonly<Record<string, SeenLead>>
  readonly by: string
  readonly reason: string
  /** Whether there's a webhook. */
  readonly deliver: boolean
  /** Whether your staff call leads from the desk. */
  readonly callFromDesk: boolean
}

export const approve = commandFor({
  action: 'approve',
  many: {
    options: { all: { about: 'All leads on hold, except those on the do-not-call list.' } },
    filter: ({ args }) => (args.isSet('all') ? { state: 'held' } : undefined),
  },
  examples: ['0195f2d1', '0195f2d1-9a3c 0195f2d4', '--all'],
  change: (store, request) => store.approve(request),
})

export const reject = commandFor({
  action: 'reject',
  options: { reason: { value: 'TEXT', about: 'Required. The reason, in a few words. Deleted by `erase`.' } },
  examples: ['0195f2d1 --reason "Mickey Mouse"', '0195f2d1-9a3c 0195f2d4 --reason "our own test"'],
  change: (store, request) => store.reject(request),
})

export const resend = commandFor({
  action: 'resend',
  many: {
    options: { failed: { about: 'All leads whose delivery failed.' }, ...rangeOptions },
    filter(run) {
      const range = readRange(run)
      if (run.args.isSet('failed')) return { ...range, delivery: 'dead' }
      return Object.keys(range).length > 0 ? { ...range, state: 'accepted' } : undefined
    },
  },
  examples: ['0195f2d1', '--failed', '--since 2030-01-31 --until 2030-02-01'],
  change: (store, { ids, by }) => store.resend({ ids, by, again: true }),
})

function commandFor({ action, many, options, examples, change }: ActionCommand): Command {
  const { about, label, applies, unavailable, bulk, confirm: { sends, asks } = {} } = bulkAction(action)
  const statusOf = (lead: LeadRecord, onList = false) => ({ ...lead, doNotCall: { email: onList, phone: onList } })
  type Change = (leads: readonly LeadRecord[]) => Promise<number>

  /** Changes nothing unless the action applies to every lead. */
  async function changeNamed(run: Run, store: Store, named: readonly string[], changeAll: Change): Promise<void> {
    const ids = [...new Set(await Promise.all(named.map(id => findLeadId(store, id))))]
    const now = await store.storeTime()
    const found = await store.leadsWithIds(ids)
    const onList = await store.leadsOnDoNotCallList(ids)
    for (const lead of found) {
      const status = statusOf(lead, onList.has(lead.id))
      if (!applies(status, now)) throw new CommandError(`Lead ${lead.id}: ${unavailable?.(status)}`)
    }
    // You may have seen it on hold, in a list from before a colleague decided.
    const rejected = found.filter(({ state }) => state === 'rejected')
    if (rejected.length > 0) {
      const decisions = await Promise.all(rejected.map(({ id }) => lastDecision(run, store, id)))
      await confirm(run, `${decisions.join(' ')} ${label} anyway?`)
    }
    const changed = await changeAll(found)
    if (changed < ids.length) {
      const result = changed === 0 ? 'Nothing was changed' : `Only ${changed} of ${ids.length} leads ${bulk.done}`
      const [first = ''] = ids
      const why = ids.length === 1 ? `${await lastDecision(run, store, first)} ` : ''
      throw new CommandError(
        `${result}. ${why}Someone else changed a lead, or the person has another one that was accepted or came in later. See ${LEADS} show ID`,
      )
    }
    const note = sends ? await waitingNote(run, store) : ''
    await run.notes.write(`${pluralize(ids.length, 'lead')} ${bulk.done}.${note}\n`)
  }

  /** Changes only the leads you confirmed: none that arrived later, and no one on the do-not-call list. */
  async function changeMany(run: Run, store: Store, filter: LeadFilter, changeAll: Change): Promise<void> {
    const now = await store.storeTime()
    const isEligible = (lead: LeadRecord) => lead.state !== 'rejected' && applies(statusOf(lead), now)
    const chosen: LeadRecord[] = []
    let onList = 0
    for await (const page of leadPages(store, { filter, order: 'oldest first', limit: PAGE })) {
      const eligible = page.filter(isEligible)
      const callable = await callableLeads(store, eligible)
      chosen.push(...callable)
      onList += eligible.length - callable.length
    }
    const skipped = onList === 0 ? '' : ` Skipping ${pluralize(onList, 'lead')} on the do-not-call list.`
    const sending = run.readConfig().webhookUrl === null ? 'never' : 'now'
    if (chosen.length > 1) await confirm(run, `${bulk.effect(pluralize(chosen.length, 'lead'), sending)}${skipped}`)
    let changed = 0
    for (let start = 0; start < chosen.length; start += BATCH) {
      // Lead by lead: someone else may have changed some of them since you confirmed. In parallel, so they share a commit.
      const batch = chosen.slice(start, start + BATCH).map(lead => changeAll([lead]))
      changed += (await Promise.all(batch)).reduce((total, each) => total + each, 0)
    }
    const missed = chosen.length - changed
    const others = missed > 0 ? ` ${missed} skipped because someone else changed ${missed === 1 ? 'it' : 'them'}.` : ''
    const note = sends && changed > 0 ? await waitingNote(run, store) : ''
    await run.notes.write(`${pluralize(changed, 'lead')} ${bulk.done}.${others}${skipped}${note}\n`)
  }

  return {
    summary: about,
    argument: many ? '[ID …]' : 'ID …',
    about: `${bulk.skipped}\nIf you list IDs, it’s all or nothing: if one of the leads can’t be changed, none are.`,
    options: { ...options, ...(many && { ...many.options, ...yesOption }), ...byOption },
    examples,
    async run(run) {
      const filter = many?.filter(run)
      const named = run.args.positionals.map(parseLeadId)
      if ((filter !== undefined) === named.length > 0) {
        const ways = ['their IDs', ...Object.keys(many?.options ?? {}).map(name => `--${name}`)]
        throw new UsageError(`Specify which leads: ${ways.join(' or ')}.`)
      }
      const by = run.by()
      const reason = readReason(run.args)
      if (asks === 'reason' && reason === '') throw new UsageError('Specify a reason: --reason "a few words".')
      const { webhookUrl, callList: callFromDesk } = run.readConfig()
      const deliver = webhookUrl !== null
      const store = await run.openStore('write')
      const changeAll: Change = leads => {
        const seen = Object.fromEntries(leads.map(({ id, state }) => [id, { state }]))
        return change(store, { ids: leads.map(({ id }) => id), seen, by, reason, deliver, callFromDesk })
      }
      return filter ? changeMany(run, store, filter, changeAll) : changeNamed(run, store, named, changeAll)
    },
  }
}

async function lastDecision(run: Run, store: Store, id: string): Promise<string> {
  const [lead, entries] = await Promise.all([store.find(id), store.doNotCallEntriesOf(id)])
  const clock = { calendar: run.calendar(), now: await store.storeTime() }
  return (lead && describeLastDecision(lead, entries, clock)) ?? ''
}

/** Leads of people who aren't on the do-not-call list, and never were. */
async function callableLeads(store: Store, leads: readonly LeadRecord[]): Promise<readonly LeadRecord[]> {
  const onList = await store.leadsOnDoNotCallList(leads.map(({ id }) => id))
  const reasons: readonly (string | null)[] = [DO_NOT_CALL, ASKED_NOT_TO_BE_CALLED]
  return leads.filter(({ id, heldReason }) => !onList.has(id) && !reasons.includes(heldReason))
}
