/** Email addresses. The one reader of them, for every form, file, and command. */
import { MAX_TYPED, plainDigits, withoutInvisible } from '../text/text.ts'

/** The longest address that SMTP allows (RFC 5321). */
export const EMAIL_MAX_LENGTH = 254

/** Without quotes, brackets, and separators: they come from a list of addresses or a name, or belong to the text around. */
const FOREIGN = /[\s"“”()<>[\]\\,;:]/
const ADDRESS = /^[^@]+@(?:[^@.]+\.)+[^@.]+$/

export const isEmail = (text: string) => text.length <= EMAIL_MAX_LENGTH && !FOREIGN.test(text) && ADDRESS.test(text)

/** Without what's around an address in a sentence, or around one that was copied from a program. It ends with its domain. In our files, # starts a comment. */
const BARE = /[^\s"“”'‘’«»()<>[\]{}|*`,;:.!?#](?:.*[\p{L}\p{N}\p{M}])?/su

/**
 * The address in what someone typed or pasted: `mailto:ann@example.org`, `Ann Lee <ann@example.org>`, `“ann@example.org”.` Null if
 * it's anything else, such as two addresses: what goes on the do-not-call list has to be what a lead's address is compared with.
 */
export function readEmail(typed: string): string | null {
  if (typed.length > MAX_TYPED) return null
  const text = withoutMarks(withoutInvisible(plainDigits(typed.normalize('NFC'))))
  const open = text.lastIndexOf('<')
  const named = open >= 0 && /^[^@\d]*$/.test(text.slice(0, open)) ? text.slice(open) : text
  const [address = ''] = withoutMarks(named)
    .replace(/^mailto:/i, '')
    .split('?')
  return isEmail(address) ? address : null
}

const withoutMarks = (text: string) => BARE.exec(text)?.[0] ?? ''

/** As addresses are compared. */
export function canonicalEmail(email: string): string {
  return email.trim().toLowerCase()
}
