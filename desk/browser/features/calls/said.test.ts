import { expect, test } from 'vitest'
import type { CallState } from '../../client.ts'
import { saveDraft } from '../../drafts.ts'
import { questionsAbout, requestOf, type Said, sayOfAdded, whatIsMissing } from './said.ts'

const wrong: Said = {
  outcome: 'wrong number',
  callbackAt: null,
  ticked: null,
  others: new Map(),
  asked: 'person',
  saidWhen: false,
  which: null,
  client: null,
  calledAt: undefined,
}

test('a number can be wrong for the only person there, though someone reached them there before', () => {
  const call = (wasReached: boolean) =>
    ({ situation: { kind: 'open' }, people: [{ leads: ['ada'], wasReached }] }) as unknown as CallState
  const asked = (state: CallState, said = wrong) => {
    const asks = questionsAbout(state, said)
    return { isAsked: asks?.whom, missing: whatIsMissing(state, said, asks)?.text ?? null }
  }
  expect(asked(call(false))).toEqual({ isAsked: false, missing: null })
  expect(asked(call(true))).toEqual({ isAsked: true, missing: 'Choose who this call was about.' })
  expect(asked(call(true), { ...wrong, ticked: new Set(['ada']) })).toEqual({ isAsked: true, missing: null })
})

test('the day on which they became a client is part of what they said, not of another outcome', () => {
  const state = { situation: { kind: 'open' }, people: [{ leads: ['ada'] }] } as unknown as CallState
  const sent = (changes: Partial<Said>) => {
    const said = { ...wrong, outcome: 'going ahead', ...changes } as const
    const asks = questionsAbout(state, said)
    return asks && (whatIsMissing(state, said, asks)?.text ?? requestOf(state, said, asks).client)
  }
  expect(sent({ client: '2030-01-31' })).toBe('2030-01-31')
  expect(sent({ client: '' })).toBe('Choose on which day they became a client.')
  expect([sent({}), sent({ client: '2030-01-31', outcome: 'not interested' })]).toEqual([undefined, undefined])
})

test('someone else’s answer is about the person asked for, and asks only whether they said when to call', () => {
  const people = [{ leads: ['ada', 'again'] }, { leads: ['bob'] }]
  const state = { situation: { kind: 'open' }, people } as unknown as CallState
  const request = (changes: Partial<Said>) => {
    const said = { ...wrong, outcome: 'someone else', ...changes } as const
    const asks = questionsAbout(state, said)
    return (
      asks && {
        missing: whatIsMissing(state, said, asks)?.text ?? null,
        outcomes: requestOf(state, said, asks).outcomes,
      }
    )
  }
  const first = { outcome: 'someone else', leads: ['ada', 'again'] }
  expect(request({})).toEqual({ missing: null, outcomes: [first] })
  expect(request({ saidWhen: true })?.missing).toBe('Choose when to call back.')
  const others = new Map([['bob', { outcome: 'going ahead', callbackAt: null } as const]])
  // Ticked under another outcome, before.
  expect(request({ saidWhen: true, callbackAt: 5, others, ticked: new Set(['bob']) })).toEqual({
    missing: null,
    outcomes: [
      { ...first, callbackAt: 5 },
      { outcome: 'going ahead', leads: ['bob'] },
    ],
  })
})

test('someone who was added during the call moves forward unless the agent says otherwise, beside what was said before', () => {
  saveDraft('call', JSON.stringify({ ...wrong, outcome: 'voicemail', saidWhen: true, others: [], where: 'NY Eastern' }))
  sayOfAdded('call', 'bob')
  saveDraft('call', text => {
    const others = [['bob', { outcome: 'going ahead', callbackAt: null }]]
    expect(JSON.parse(text)).toMatchObject({ outcome: 'someone else', saidWhen: true, others, where: 'NY Eastern' })
    return ''
  })
})
