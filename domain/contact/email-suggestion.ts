/** Suggests a correction for an email address that is one typo away from a well-known provider, such as gmial.com. */
import { isOneTypoAway } from '../text/typos.ts'

/** The providers people mistype most, plus others with similar names: ymail.com isn't a misspelled gmail.com. */
const PROVIDERS = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
  'bellsouth.net',
  'earthlink.net',
  'optonline.net',
  'ymail.com',
  'email.com',
  'mail.com',
  'aol.com',
  'msn.com',
  'live.com',
  'att.net',
  'cox.net',
]

/** A shorter domain that differs by one letter is probably another company: ail.com isn't a misspelled aol.com. */
const MIN_CORRECTED_LENGTH = 'gmail.com'.length

/** Top-level domains that don't exist. */
const MISTYPED_ENDING = /\.(?:con|vom|xom|cpm|cim|cmo|ocm|comm|coom|c0m)$/

/** The corrected address, or null if nothing looks wrong. */
export function suggestEmail(email: string): string | null {
  const at = email.lastIndexOf('@')
  const typed = email.slice(at + 1).toLowerCase()
  if (at < 1 || PROVIDERS.includes(typed)) return null
  const domain = typed.replace(MISTYPED_ENDING, '.com')
  const meant = PROVIDERS.find(
    each => each === domain || (each.length >= MIN_CORRECTED_LENGTH && isOneTypoAway(domain, each)),
  )
  if (meant === undefined && domain === typed) return null
  return `${email.slice(0, at)}@${meant ?? domain}`
}
