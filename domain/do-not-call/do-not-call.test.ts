/** The readers of email addresses and phone numbers, as every door uses them. */
import { expect, test } from 'vitest'
import { parseContact } from '../contact/read-contact.ts'
import type { DeskRole } from '../roles.ts'
import { parseDoNotCall, removalNotice } from './do-not-call.ts'

const contact = { firstName: 'Zed', lastName: 'Doe', dateOfBirth: '1965-03-09' }
const phone = '(212) 555-0187'
const email = 'zed@example.org'

test.each([
  ...[
    'mailto:zed@example.org',
    'MAILTO:zed@example.org?subject=stop',
    '<zed@example.org>',
    '“zed@example.org”',
    "'zed@example.org',",
  ],
  ...['zed@example.org.', 'zed@example.org;', '(zed@example.org)', ' zed@example.org ', 'Zed Doe <zed@example.org>'],
  ...['*zed@example.org*', '`zed@example.org`', '{zed@example.org}', '«zed@example.org…»', 'zed@example.org/'],
  ...['"Doe, Zed" <zed@example.org>', 'z\u200bed@exam\u00adple.org\u202c', 'ｚed＠example．org'],
])('%j is read as the address in it, on the list and in a lead', typed => {
  expect(parseDoNotCall(typed)).toEqual({ email })
  expect(parseContact({ ...contact, phone, email: typed }, 2026)).toMatchObject({ contact: { email } })
})

test('an accent is the same, however a keyboard makes it', () =>
  expect(parseDoNotCall('jose\u0301@example.org')).toEqual({ email: 'jos\u00e9@example.org' }))

test.each(['o#brien@example.org', "o'brien+tv@mail.example.org", 'josé@пример.рф'])('%s stays as it is', typed =>
  expect(parseDoNotCall(typed)).toEqual({ email: typed }),
)

test.each([
  ...['zed@example', 'zed@example.', 'zed@.org', 'zed@a..org', '@example.org', 'zed@', 'zed doe@example.org'],
  ...['ann@example.org,2125557701', 'ann@example.org bob@example.org', 'ann@example.org;bob@example.org', 'a@b@c.org'],
  ...['Ann 2125557701 <ann@example.org>', 'bob@example.org <ann@example.org>', `${'x'.repeat(250)}@example.org`],
  ...[
    '2125550187@example',
    '2125550187＠example',
    '0a1b2c3d4e5f6a7b8c9d',
    '12-34-56-78',
    '212 555 0187 or 212 555 0188',
    '',
  ],
  ' '.repeat(501),
])('%j is refused', typed => {
  expect(parseDoNotCall(typed)).toBeNull()
  const parsed = parseContact({ ...contact, email: typed, phone: typed }, 2026)
  expect(parsed).toMatchObject({ errors: { email: expect.any(String), phone: expect.any(String) } })
})

test.each([
  ...['212 555 0187 ext 4', 'tel:+1-212-555-0187', 'Phone: (212) 555-0187', '(212) 555-0187 (home)', '2125550187x12'],
  ...['２１２５５５０１８７', '٢١٢٥٥٥٠١٨٧', '212\u200b555\u202c0187', '1.212.555.0187', 'my number is 212-555-0187.'],
])('%j is read as the number in it, on the list and in a lead', typed => {
  expect(parseDoNotCall(typed)).toEqual({ phone: '2125550187' })
  expect(parseContact({ ...contact, email, phone: typed }, 2026)).toMatchObject({ contact: { phone } })
})

test('what’s too long is refused without reading it', () => {
  const long = { firstName: 'nameTooLong', lastName: 'nameTooLong', email: 'emailTooLong', phone: 'phoneInvalid' }
  for (const text of [`1${' '.repeat(15_900)}y`, `0${'a'.repeat(15_900)}0`, `Ann${' '.repeat(600)}`]) {
    const typed = { firstName: text, lastName: text, email: text, phone: text, 'dateOfBirth-month': text }
    const parsed = parseContact({ ...typed, 'dateOfBirth-day': '9', 'dateOfBirth-year': '1965' }, 2026)
    expect(parsed).toEqual({ valid: false, errors: { ...long, dateOfBirth: 'dateImpossible' } })
  }
})

test('after Undo, only an editor is asked to tell the CRM', () => {
  const asks = (role: DeskRole) => removalNotice('told', role)
  expect(asks('editor')).toContain('Tell it that calls are allowed again.')
  expect(asks('agent')).toBe('Your manager will tell the CRM that calls are allowed again.')
  expect([removalNotice('not told', 'agent'), removalNotice(null, 'editor')]).toEqual([null, null])
})
