/**
 * Builds a lead's search text and parses what people type. One box takes names, emails, phone numbers, and IDs, so people paste
 * "Lopez, Maria", "Mr. Lopez", "Maria <maria@example.org>", "tel:+15550102030", and "Maria Lopez (555) 010-2030".
 */
import { canonicalEmail } from '../../../../domain/contact/email.ts'
import { phoneDigits } from '../../../../domain/contact/phone.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'

export interface Search {
  /** A lead must match every word, in at least one of its spellings. */
  readonly words: readonly (readonly string[])[]
  /** Also finds leads whose ID starts with this. */
  readonly idPrefix: string | null
}

const MAX_NAME_LENGTH = 200
/** PostgreSQL indexes reject entries over 2,704 bytes, which would make the capture fail. */
const MAX_EMAIL_LENGTH = 300
const MAX_TYPED_LENGTH = 200
const MAX_WORDS = 8
/** Separates the parts of a lead's text. Typed words never contain it, so they can't match across two parts. */
const SEPARATOR = '\t'

/** The text that searches match against. */
export function searchText({ firstName, lastName, email, phone }: Omit<Contact, 'dateOfBirth'>): string {
  const [first, last] = [firstName, lastName].map(name => cut(fold(name), MAX_NAME_LENGTH))
  return [`${first} ${last}`, cut(canonicalEmail(email), MAX_EMAIL_LENGTH), phoneDigits(phone)].join(SEPARATOR)
}

const cut = (text: string, length: number) => text.slice(0, length).toWellFormed()

/** Whether a trigram index can look up the word. */
export const hasTrigram = (word: string) => /[a-z0-9]{3}/.test(word)

/** Null if nothing was typed. */
export function parseSearch(typed = ''): Search | null {
  const text = typed.trim().slice(0, MAX_TYPED_LENGTH).toLowerCase()
  if (text === '') return null
  const idPrefix = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/.test(text) ? text : null
  const words = WHOLE_NUMBER.test(text) ? [phoneDigits(text)] : wordsOf(text).slice(0, MAX_WORDS)
  return { words: words.map(word => [...new Set([fold(word) || word, word])]), idPrefix }
}

/** Ligatures and letters such as ł and ø, which Unicode normalization leaves alone: people type Łukasz as lukasz. */
const plainLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

/** What keyboards make of an apostrophe, and the ʻokina: people type Kaʻiulani as Ka'iulani, Ka‘iulani, and Kaiulani. */
const APOSTROPHES = /['’‘‛`´′ʹʻʼʽʾʿˈ＇]/g

/** Lowercase, without accents or punctuation: people type José, JOSE, and jose, O'Brien and obrien. */
function fold(name: string): string {
  const start = cut(name, MAX_NAME_LENGTH)
  // Fast path for the common case.
  if (/^[A-Za-z0-9]*$/.test(start)) return start.toLowerCase()
  return start
    .replaceAll(APOSTROPHES, '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}.\-‐‑]/gu, '')
    .replaceAll(/[łøđðıßæœþ]/g, letter => plainLetters[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Quotes, brackets, sentence punctuation, and invisible characters, which may be around a word. */
const AROUND = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Cf}"'`.:!?<>]$/u
const LINK = /^(?:mailto|tel|sms):/
const TITLE = /^(?:mr|mrs|ms|dr)\.?$/
const COUNTRY_CODE = /^\+?1$/
const PART_OF_NUMBER = /^\+?[().\p{Pd}]*\d[\d().\p{Pd}]*$/u
const WHOLE_NUMBER = /^\+?[\s().\p{Pd}]*\d[\d\s().\p{Pd}]*$/u

/**
 * Returns at least one word: if the text is only punctuation, it's searched for as typed. The parts of a phone number are separate
 * words.
 */
function wordsOf(text: string): readonly string[] {
  const typed = text.split(/[\s,;]+/).filter(word => word !== '')
  // After the first word, only "Dr." with a period is a title, because "dr" may be the start of a name.
  const isTitle = (word: string, index: number) => TITLE.test(word) && (index === 0 || word.endsWith('.'))
  const words = typed.filter((word, index) => !isTitle(word, index)).map(withoutMarks)
  const found = words.filter(word => /[^.\p{Pd}]/u.test(word) && !COUNTRY_CODE.test(word))
  return found.length > 0 ? found.map(word => (PART_OF_NUMBER.test(word) ? phoneDigits(word) : word)) : [text]
}

function withoutMarks(word: string): string {
  const bare = trimMarks(word)
  return LINK.test(bare) ? trimMarks(bare.replace(LINK, '').replace(/\?.*$/, '')) : bare
}

function trimMarks(word: string): string {
  let [start, end] = [0, word.length]
  while (start < end && AROUND.test(word.charAt(start))) start++
  while (start < end && AROUND.test(word.charAt(end - 1))) end--
  return word.slice(start, end)
}
