import { expect, test } from 'vitest'
import { actionsFor, canPerform, leadActionNames, leadActions } from './lead-actions.ts'

const all = Object.values(leadActions)
const lead = { state: 'held', delivery: null, doNotCall: { email: false, phone: true } } as const

test('each shortcut and event belongs to only one action', () => {
  const keys = [...['t', 'l', 'h', 'j', 'k', 'x', '/', '?'], ...all.flatMap(({ key = [] }) => key)]
  for (const names of [keys, all.map(({ event }) => event)]) expect(names).toEqual([...new Set(names)])
})

test('destructive actions need confirmation, and only “approve” and “resend” send the lead', () => {
  for (const { confirm, destructive, label } of all) if (destructive) expect(confirm, label).toBeDefined()
  expect(leadActionNames.filter(name => leadActions[name].confirm?.sends)).toEqual(['approve', 'resend'])
})

test('people are offered only what their role allows', () => {
  expect(actionsFor(lead, 0, 'editor')).toEqual(leadActionNames.filter(name => name !== 'resend'))
  expect(actionsFor(lead, 0, 'caller')).toEqual([
    'do not call',
    'allow calls',
    'add note',
    'remove note',
    'restore note',
  ])
  expect(actionsFor(lead, 0, 'viewer')).toEqual([])
  expect(canPerform('approve', 'caller')).toBe(false)
})

test('a do-not-call request says whether it changes the phone number, the email, or both', () => {
  expect(leadActions['do not call'].details?.(lead)).toEqual({ contacts: ['email'] })
  expect(leadActions['allow calls'].details?.(lead)).toEqual({ contacts: ['phone'] })
})
