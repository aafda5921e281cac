import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OrganizationDetails } from './organization-details.tsx'

const copy = {
  hoursLabel: 'Hours:',
  addressLabel: 'Address:',
  peopleLabel: 'Our team:',
  emailLabel: 'Email:',
  credentialsLabel: 'Credentials:',
}
const empty = { copy, people: [], credentials: [] }

test('shows nothing if no details are filled in', () => {
  expect(renderToStaticMarkup(createElement(OrganizationDetails, empty))).toBe('')
})

test.each([
  [{ email: 'a@example.org' }, 'Email: a@example.org'],
  [{ credentials: ['Accredited', 'Insured'] }, 'Credentials: Accredited; Insured'],
  [{ hours: 'weekdays, 9 to 5' }, 'Hours: weekdays, 9 to 5'],
  [{ address: ['1 Elm Street', 'Springfield'] }, 'Address: 1 Elm Street, Springfield'],
  [{ people: [{ name: 'A. Person', role: 'advocate' }] }, 'Our team: A. Person, advocate'],
])('shows only details that are filled in: %o', (filled, shown) => {
  const html = renderToStaticMarkup(createElement(OrganizationDetails, { ...empty, ...filled }))
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(shown)
})
