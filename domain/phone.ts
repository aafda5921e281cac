/** US phone numbers: ten digits, formatted as (###) ###-####. */

export const PHONE_DIGITS = 10
/** The length of a complete formatted number. */
export const PHONE_MAX_LENGTH = 14

/** The number's digits, up to ten. A leading 1 counts as a country code, and is dropped, only if more than ten were entered. */
export function phoneDigits(input: string): string {
  const digits = input.replace(/\D/g, '')
  const national = digits.length > PHONE_DIGITS && digits.startsWith('1') ? digits.slice(1) : digits
  return national.slice(0, PHONE_DIGITS)
}

/** The number in E.164 format: +1 followed by the ten digits. */
export function e164(input: string): string {
  return `+1${phoneDigits(input)}`
}

export function formatPhone(input: string): string {
  const digits = phoneDigits(input)
  if (digits.length === 0) return ''
  if (digits.length <= 3) return `(${digits}`
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}

/** The phone key for each letter from A to Z. */
const KEYS = '22233344455566677778889999'

/** The tel: link for a displayed number, such as `833-243-2965` or `1-800-FLOWERS`. */
export function telHref(shown: string): string {
  const digits = shown.replace(/[a-z]/gi, letter => KEYS.charAt(Number.parseInt(letter, 36) - 10))
  return `tel:+1${phoneDigits(digits)}`
}

export interface PhoneEdit {
  readonly value: string
  readonly caret: number
}

/** Formats a field's raw text and keeps the caret after the same digit, so it doesn't jump while editing. */
export function editPhone(raw: string, caret: number): PhoneEdit {
  const value = formatPhone(raw)
  const droppedBefore = raw.replace(/\D/g, '').length > PHONE_DIGITS && /^\D*1/.test(raw) ? 1 : 0
  const digitsBefore = raw.slice(0, caret).replace(/\D/g, '').length - droppedBefore
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
