/** Two editors decide about the same lead at the same moment. The later one is told what the earlier one did. */
import { describe, expect, test, vi } from 'vitest'
import type { DeskClient } from '../../../tests/support/desk.ts'
import { deskPerTest } from '../../../tests/support/desk-harness.ts'
import { contactOf } from '../../../tests/support/lead-store.ts'
import { engines } from '../../../tests/support/store-engines.ts'

const nowhere = { state: 'held', doNotCall: { email: false, phone: false } }
const contacts = ['phone', 'email']
const decisions = {
  approve: { action: 'approve', seen: nowhere },
  reject: { action: 'reject', seen: nowhere, reason: 'a joke' },
  'do not call': { action: 'do not call', seen: nowhere, contacts },
  undo: { action: 'undo do not call' },
} as const
const names = Object.keys(decisions) as (keyof typeof decisions)[]

describe.each(engines)('two editors on $name', engine => {
  const harness = deskPerTest(engine)

  async function decide(client: DeskClient, id: string, decision: object) {
    const response = await client.fetch(`/api/leads/${id}/actions`, { body: decision })
    const { message, notice, requestId } = (await response.json()) as {
      readonly message?: string
      readonly notice?: string | null
      readonly requestId?: string
    }
    return { isDone: response.status === 200, told: message ?? notice ?? '', requestId }
  }

  test('the later one is told what the earlier one did, and no do-not-call entry disappears', async () => {
    const joe = await harness.desk.signedIn('Joe', 'editor')
    const pairs = names.flatMap(marias => names.map(joes => ({ marias, joes })))
    for (const [round, { marias, joes }] of pairs.entries()) {
      const contact = { ...contactOf(`n${round}`), phone: `(555) 010-${String(1000 + round)}` }
      const id = await harness.capture(`n${round}`, { contact, holdReason: 'a link in the name' })
      // Only one's own entry can be undone.
      const stop = async (client: DeskClient) => (await decide(client, id, decisions['do not call'])).requestId
      const mariasStop = marias === 'undo' ? await stop(harness.maria) : null
      const joesStop = joes === 'undo' ? await stop(joe) : null
      const [first, second] = await Promise.all([
        decide(harness.maria, id, { requestId: mariasStop, ...decisions[marias] }),
        decide(joe, id, { requestId: joesStop, ...decisions[joes] }),
      ])
      const what = { marias, joes, first, second }
      const entries = await harness.store.doNotCallEntriesOf(id)
      const isDecision = (name: string) => name === 'approve' || name === 'reject'
      // One decision at most, and never one beside an entry that was on the list before.
      if (isDecision(marias) && isDecision(joes)) expect([what, +first.isDone + +second.isDone]).toEqual([what, 1])
      // An entry disappears only once everyone who asked for it has taken that back.
      const isAsked = marias === 'do not call' || joes === 'do not call'
      if (isAsked) expect([what, entries.length]).toEqual([what, 2])
      if (marias === 'undo' && joes === 'undo') expect([what, entries.length]).toEqual([what, 0])
      // Someone was told about the other, by name. Once an entry is taken back, the lead is what the other one saw.
      const isTold = second.told.includes('Maria Lopez') || first.told.includes('Joe')
      const isTakenBack = (marias === 'undo' && first.isDone) || (joes === 'undo' && second.isDone)
      if (!isTakenBack) expect([what, isTold]).toEqual([what, true])
      // Refused, or told, or first.
      for (const each of [first, second]) if (!each.isDone) expect(each.told).toMatch(/ at \d+:\d\d [AP]M/)
      const lead = await harness.store.find(id)
      if (entries.length > 0) expect([what, lead?.delivery]).toEqual([what, null])
    }
  })

  test('the one who finishes last is told about the other', async () => {
    const id = await harness.capture('ada', { holdReason: 'a link in the name' })
    const { reject } = harness.store
    // Joe's stop is saved while Maria's rejection is.
    vi.spyOn(harness.store, 'reject').mockImplementationOnce(async order => {
      const rejected = await reject(order)
      await harness.store.addToDoNotCall({ leadId: id, contacts: [{ email: contactOf('ada').email }], by: 'Joe' })
      return rejected
    })
    expect(await decide(harness.maria, id, decisions.reject)).toMatchObject({
      isDone: true,
      told: expect.stringMatching('Joe'),
    })
  })
})
