import { describe, expect, test } from 'vitest'
import { suggestEmail } from './email-suggestion.ts'

describe('suggests the intended provider', () => {
  test.each([
    ['ada@gmial.com', 'ada@gmail.com'],
    ['ada@gamil.com', 'ada@gmail.com'],
    ['ada@gmal.com', 'ada@gmail.com'],
    ['ada@gmaill.com', 'ada@gmail.com'],
    ['ada@gnail.com', 'ada@gmail.com'],
    ['ada@gmail.co', 'ada@gmail.com'],
    ['ada@gmail.con', 'ada@gmail.com'],
    ['ada@gmail.com.', 'ada@gmail.com'],
    ['Ada.L@GMIAL.com', 'Ada.L@gmail.com'],
    ['ada@yaho.com', 'ada@yahoo.com'],
    ['ada@yahooo.com', 'ada@yahoo.com'],
    ['ada@hotmial.cmo', 'ada@hotmail.com'],
    ['ada@outlok.com', 'ada@outlook.com'],
    ['ada@iclould.com', 'ada@icloud.com'],
    ['ada@comcats.net', 'ada@comcast.net'],
    ['ada@aol.con', 'ada@aol.com'],
    ['ada@lovelace-law.con', 'ada@lovelace-law.com'],
  ])('%s → %s', (typed, meant) => expect(suggestEmail(typed)).toBe(meant))
})

test.each([
  'ada@gmail.com',
  'ada@GMail.com',
  'ada@ymail.com',
  'ada@email.com',
  'ada@mail.com',
  'ada@yahoo.co.uk',
  'ada@hotmail.fr',
  'ada@aol.co.uk',
  'ada@ail.com',
  'ada@example.org',
  'ada@gmail.example.org',
  'gmial.com',
  '',
])('leaves %s alone', email => expect(suggestEmail(email)).toBeNull())
