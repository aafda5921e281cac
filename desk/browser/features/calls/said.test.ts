import { expect, test } from 'vitest'
import type { CallState } from '../../client.ts'
import { questionsAbout, type Said, whatIsMissing } from './said.ts'

const wrong: Said = {
  outcome: 'wrong number',
  callbackAt: null,
  ticked: null,
  others: new Map(),
  asked: 'person',
  which: null,
  calledAt: undefined,
}

test('a number can be wrong for the only person there, though someone reached them there before', () => {
  const call = (wasReached: boolean) =>
    ({ situation: { kind: 'open' }, people: [{ leads: ['ada'], wasReached }] }) as unknown as CallState
  const asked = (state: CallState, said = wrong) => {
    const asks = questionsAbout(state, said)
    return { isAsked: asks?.whom, missing: whatIsMissing(state, said, asks) }
  }
  expect(asked(call(false))).toEqual({ isAsked: false, missing: null })
  expect(asked(call(true))).toEqual({ isAsked: true, missing: 'Choose who this call was about.' })
  expect(asked(call(true), { ...wrong, ticked: new Set(['ada']) })).toEqual({ isAsked: true, missing: null })
})
