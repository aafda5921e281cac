/** What a lead is found by, and what was typed to find it: one box for names, addresses, numbers and ids. */
import { phoneDigits } from '../../../domain/phone.ts'
import { canonicalEmail } from '../repeats.ts'
import { digitsAlone, typedWords } from './typed-words.ts'

export interface SearchableLead {
  readonly id: string
  /** Null once erased, as is all the rest. */
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  readonly phone: string | null
}

export interface Search {
  /** Every word must be found, in the one spelling or the other. */
  readonly words: readonly (readonly string[])[]
  /** A lead whose id begins like this is found, too. */
  readonly idBeginning: string | null
}

/** Longer names are cut: nobody types so much. */
const LONGEST_NAME = 200
const LONGEST_TYPED = 200
const MOST_WORDS = 8
/** The parts of a lead's text: no word that is typed has one in it. */
const SEPARATOR = '\t'

const ID_BEGINNING = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/

/** Empty for an erased lead. */
export function searchText({ firstName, lastName, email, phone }: SearchableLead): string {
  if (email === null) return ''
  const name = `${fold(firstName ?? '')} ${fold(lastName ?? '')}`
  return [name, canonicalEmail(email), phoneDigits(phone ?? '')].join(SEPARATOR)
}

/** Null when nothing was typed. */
export function readSearch(typed: string): Search | null {
  const text = typed.trim().slice(0, LONGEST_TYPED).toLowerCase()
  if (text === '') return null
  const idBeginning = ID_BEGINNING.test(text) ? text : null
  // However it is written: (555) 010-2030, 555.010.2030, +1 555 010 2030 or the last four digits.
  const digits = digitsAlone(text)
  if (digits !== null) return { words: [[digits]], idBeginning }
  const words = typedWords(text).slice(0, MOST_WORDS)
  return { words: words.map(word => [...new Set([fold(word) || word, word])]), idBeginning }
}

export function isFoundBy({ words, idBeginning }: Search, id: string, text: string): boolean {
  if (idBeginning !== null && id.startsWith(idBeginning)) return true
  return text !== '' && words.every(spellings => spellings.some(word => text.includes(word)))
}

/** Letters whose mark is a part of them, which nothing takes off: Łukasz and Đặng are typed as lukasz and dang. */
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

/** Small, without accents and without the marks inside of names: people type José, JOSE and jose, O'Brien and obrien. */
function fold(name: string): string {
  const cut = name.slice(0, LONGEST_NAME)
  // Most names are plain letters.
  if (/^[A-Za-z0-9]*$/.test(cut)) return cut.toLowerCase()
  return cut
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’ʼ`.\-‐‑]/gu, '')
    .replaceAll(/[łøđðıßæœþ]/g, letter => plainLetters[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
