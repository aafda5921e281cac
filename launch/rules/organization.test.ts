import { expect, test } from 'vitest'
import { named } from '../../tests/support/built-page.ts'
import { organizationFindings } from './organization.ts'

const own = { name: 'Harbor Light', phone: '207-555-0100', address: ['1 Pier Road'], hours: '9 to 5' }

test('an organization with its own name, number, address and hours passes', () => {
  expect(organizationFindings(own)).toEqual([])
})

test.each([
  [{ name: 'SSDI Advocate' }, 'organization_as_delivered:name'],
  [{ phone: '833-243-2965' }, 'organization_as_delivered:phone'],
  [{ address: null }, 'organization_incomplete:address'],
  [{ address: [] }, 'organization_incomplete:address'],
  [{ hours: null }, 'organization_incomplete:hours'],
])('%o is found', (changed, name) => {
  expect(named(organizationFindings({ ...own, ...changed }))).toEqual([name])
})
