import { expect, test } from 'vitest'
import { suggestEmail } from './email-suggestion.ts'

const meant: Readonly<Record<string, readonly string[]>> = {
  'gmail.com': ['gmial.com', 'gamil.com', 'gmal.com', 'gmaill.com', 'gnail.com', 'gmail.co', 'gmail.con', 'gmail.com.'],
  'yahoo.com': ['yaho.com', 'yahooo.com'],
  'hotmail.com': ['hotmial.cmo'],
  'outlook.com': ['outlok.com'],
  'icloud.com': ['iclould.com'],
  'comcast.net': ['comcats.net'],
  'aol.com': ['aol.con'],
  'lovelace-law.com': ['lovelace-law.con'],
}

test.each(Object.entries(meant))('suggests %s for %j', (provider, typed) => {
  for (const each of typed) expect([each, suggestEmail(`ada@${each}`)]).toEqual([each, `ada@${provider}`])
})

test('keeps the part before the @ as typed and leaves other providers alone', () => {
  expect(suggestEmail('Ada.L@GMIAL.com')).toBe('Ada.L@gmail.com')
  const similar = ['gmail.com', 'GMail.com', 'ymail.com', 'email.com', 'mail.com', 'ail.com', 'gmail.example.org']
  for (const provider of [...similar, 'yahoo.co.uk', 'hotmail.fr', 'aol.co.uk', 'example.org'])
    expect([provider, suggestEmail(`ada@${provider}`)]).toEqual([provider, null])
  for (const text of ['gmial.com', '']) expect(suggestEmail(text)).toBeNull()
})
