import { expect, test } from 'vitest'
import { actionsFor, canPerform, leadActionNames, leadActions } from './lead-actions.ts'

const all = Object.values(leadActions)
const lead = { state: 'held', delivery: null, doNotCall: { email: false, phone: true } } as const

test('each shortcut belongs to only one action', () => {
  const keys = [
    ...['c', 't', 'l', 'h', '1', '2', '3', '4', '5', '6', '7', 'j', 'k', 'x', '/', '?'],
    ...all.flatMap(({ key = [] }) => key),
  ]
  expect(keys).toEqual([...new Set(keys)])
})

test('destructive actions need confirmation, and only “approve” and “resend” send the lead', () => {
  for (const { confirm, destructive, label } of all) if (destructive) expect(confirm, label).toBeDefined()
  expect(leadActionNames.filter(name => leadActions[name].confirm?.sends)).toEqual(['approve', 'resend'])
})

test('people are offered only what their role allows', () => {
  const forAgents = ['do not call', 'add note', 'remove note', 'restore note']
  expect(actionsFor(lead, 0, 'editor').toSorted()).toEqual([...forAgents, 'allow calls', 'erase', 'reject'].toSorted())
  expect(actionsFor(lead, 0, 'agent')).toEqual(forAgents)
  expect(actionsFor(lead, 0, 'viewer')).toEqual([])
  expect(canPerform('approve', 'agent')).toBe(false)
})

test('only a lead that is on hold or was rejected can be approved', () => {
  const offered = (['held', 'rejected', 'accepted', 'repeat', 'erased'] as const).filter(state =>
    actionsFor({ state, delivery: null, doNotCall: { email: false, phone: false } }, 0, 'editor').includes('approve'),
  )
  expect(offered).toEqual(['held', 'rejected'])
})

test('someone who was reached can become a client once, and an agent can take it back', () => {
  const accepted = { ...lead, state: 'accepted' } as const
  const offered = (wasReached: boolean, on: string | null) =>
    actionsFor({ ...accepted, client: { wasReached, on } }, 0, 'agent').filter(name => name.startsWith('client'))
  expect([offered(false, null), offered(true, null), offered(true, '2030-01-31')]).toEqual([
    [],
    ['client'],
    ['client undone'],
  ])
})

test('a lead of someone on the do-not-call list can’t be sent, and a closed one can’t be rejected', () => {
  const sent = { ...lead, state: 'accepted', delivery: { state: 'dead', nextAt: null } } as const
  for (const each of [lead, { ...lead, state: 'rejected' } as const, sent]) {
    expect(actionsFor(each, 0, 'editor')).not.toContain('approve')
    expect(actionsFor(each, 0, 'editor')).not.toContain('resend')
  }
  expect(actionsFor({ ...lead, isClosed: true }, 0, 'editor')).not.toContain('reject')
})

test('a do-not-call request says whether it changes the phone number, the email, or both', () => {
  expect(leadActions['do not call'].details?.(lead)).toEqual({ contacts: ['email'] })
  const doNotCall = { ...lead.doNotCall, others: ['ada@example.org'] }
  expect(leadActions['allow calls'].details?.({ ...lead, doNotCall })).toEqual({
    contacts: ['phone'],
    others: ['ada@example.org'],
  })
})
