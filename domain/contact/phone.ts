/** US phone numbers: ten digits, formatted as (###) ###-####. The one reader of phone numbers, for every form, file, and command. */
import { MAX_TYPED, plainDigits } from '../text/text.ts'

const PHONE_DIGITS = 10
/** The length of a complete formatted number. */
export const PHONE_MAX_LENGTH = 14

const digitsIn = (text: string) => plainDigits(text).replace(/\D/g, '')

/** An extension at the end: `x12`, `ext. 12`, `#12`. We store the number without it. */
const EXTENSION = /(?:x|ext\.?|extension|#|,)\s*\d{1,6}\s*$/i

/**
 * Words before and after a number don't matter: `Phone: (212) 555-0187 (home)`. An ID such as 0a1b2c isn't a number, and neither is half
 * an email address with ten digits, which would be a stranger's.
 */
const NOT_A_NUMBER = /@|^\D*\d[^\p{L}]*\p{L}.*\d/su

interface ParsedPhone {
  /** Without a country code of 1 and without an extension, but never cut off: that would make it someone else's number. */
  readonly digits: string
  /** Starts with another country's code. */
  readonly foreign: boolean
}

function parsePhone(typed: string): ParsedPhone {
  const input = plainDigits(typed)
  const dialed = input.replace(EXTENSION, '')
  const number = digitsIn(dialed).length < PHONE_DIGITS ? input : dialed
  const all = digitsIn(number)
  const hasPlus = /^[^+\d]*\+/.test(number)
  // 00 and 011 are what people dial before a country code.
  const digits = hasPlus || all.length > PHONE_DIGITS ? all.replace(/^(?:00|011)/, '') : all
  const international = hasPlus || digits !== all
  if (international && digits !== '' && !digits.startsWith('1')) return { digits, foreign: true }
  // In `1-555-234-567`, the 1 is a country code, too, and a digit is missing.
  const hasCountryCode = international || digits.length > PHONE_DIGITS || /^\D*1[-. ]/.test(number)
  return { digits: hasCountryCode ? digits.replace(/^1/, '') : digits, foreign: false }
}

export function checkPhone(input: string): 'valid' | 'invalid' | 'foreign' {
  if (input.length > MAX_TYPED) return 'invalid'
  const { digits, foreign } = parsePhone(input)
  if (foreign) return 'foreign'
  return digits.length === PHONE_DIGITS && !NOT_A_NUMBER.test(plainDigits(input).replace(EXTENSION, ''))
    ? 'valid'
    : 'invalid'
}

/**
 * A US number's ten digits, or as many as there are. Another country's number starts with a +, because its digits may be those of
 * someone in the US.
 */
export function phoneDigits(input: string): string {
  const { digits, foreign } = parsePhone(input)
  return foreign ? `+${digits}` : digits
}

/** The number in E.164 format: + followed by the country code, 1 for the US, and the digits. */
export function e164(input: string): string {
  const digits = phoneDigits(input)
  return digits.startsWith('+') ? digits : `+1${digits}`
}

/** Formats a US number, complete or not. Leaves any other number as typed, so the form can say what's wrong with it. */
export function formatPhone(input: string): string {
  const { digits, foreign } = parsePhone(input)
  if (foreign || digits.length > PHONE_DIGITS) return input.trim()
  // A country code that's still being typed.
  if (digits.length === 0) return /^\s*\+1?/.exec(input)?.[0].trim() ?? ''
  if (digits.length <= 3) return `(${digits}`
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}

/** The phone key for each letter from A to Z. */
const KEYS = '22233344455566677778889999'

/** The tel: link for a displayed number, such as `833-243-2965` or `1-800-FLOWERS`. */
export function telHref(shown: string): string {
  const digits = shown.replace(/[a-z]/gi, letter => KEYS.charAt(Number.parseInt(letter, 36) - 10))
  const number = e164(digits)
  // In 1-800-MATTRESS and `ext. 12`, what follows the ten digits isn't dialed.
  return `tel:${number.startsWith('+1') ? number.slice(0, '+1'.length + PHONE_DIGITS) : number}`
}

export interface PhoneEdit {
  readonly value: string
  readonly caret: number
}

/** Formats a field's raw text and keeps the caret after the same digit, so it doesn't jump while editing. */
export function editPhone(raw: string, caret: number): PhoneEdit {
  const value = formatPhone(raw)
  if (value === raw) return { value, caret }
  const droppedBefore = Math.max(0, digitsIn(raw).indexOf(digitsIn(value)))
  const digitsBefore = digitsIn(raw.slice(0, caret)).length - droppedBefore
  return { value, caret: positionAfterDigit(value, digitsBefore) }
}

function positionAfterDigit(formatted: string, count: number): number {
  if (count <= 0) return Math.min(formatted.length, formatted.startsWith('(') ? 1 : 0)
  let seen = 0
  for (let index = 0; index < formatted.length; index++) {
    if (/\d/.test(formatted.charAt(index))) seen++
    if (seen === count) return index + 1
  }
  return formatted.length
}
