import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { DeskRole } from '../../../../domain/roles.ts'
import type { Lead, Session } from '../../client.ts'
import { SessionContext } from '../../session.ts'
import { Status } from './status.tsx'

const lead = { state: 'accepted', stops: [], others: [], clientOn: null, replacedBy: null, receivedAt: 0 }
const stop = { entry: '(212) 555-0187', contact: 'phone', at: 0, by: 'Maria', source: 'call', isOwn: true }

const shown = (role: DeskRole, changes: object) =>
  renderToStaticMarkup(
    createElement(
      SessionContext,
      { value: { role, crm: true, timeZone: 'America/New_York' } as unknown as Session },
      createElement(Status, { lead: { ...lead, ...changes } as unknown as Lead }),
    ),
  )

test.each([
  ['a stop', 'Do not call', { stops: [stop], sentToCrm: 'yes', stopInCrm: 'to tell' }],
  ['a failed delivery', 'Delivery failed', { delivery: { state: 'dead', attempts: 5 } }],
])('the CRM is for editors to handle, so agents don’t read of it: %s', (_, title, changes) => {
  expect(shown('editor', changes)).toContain('our CRM')
  expect(shown('agent', changes)).toContain(title)
  expect(shown('agent', changes)).not.toContain('CRM')
})
