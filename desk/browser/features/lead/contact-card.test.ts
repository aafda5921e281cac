import { expect, test } from 'vitest'
import { mailtoHref } from './contact-card.tsx'

test('an email address can’t add recipients or text to a message', () => {
  const { pathname, search, hash } = new URL(mailtoHref('a@b.org?bcc=evil@example.org&body=x#y'))
  expect([search, hash]).toEqual(['', ''])
  expect(decodeURIComponent(pathname)).toBe('a@b.org?bcc=evil@example.org&body=x#y')
  expect(mailtoHref("o'neil+desk@example.org")).toBe("mailto:o'neil%2Bdesk@example.org")
})
