/**
 * The words of what was typed or pasted, as they are in a lead: people paste "Lopez, Maria", "Mr. Lopez",
 * "Maria <maria@example.org>", "tel:+15550102030" and "Maria Lopez (555) 010-2030".
 */
import { PHONE_DIGITS } from '../../../domain/phone.ts'

/** Quotes, brackets, marks of a sentence, and what nobody sees: at the ends of a word they belong to no lead. */
const AROUND = String.raw`[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Cf}"'${'`'}.:!?<>]+`
const BEFORE_WORD = new RegExp(`^${AROUND}`, 'u')
const AFTER_WORD = new RegExp(`${AROUND}$`, 'u')
const LINK = /^(?:mailto|tel|sms):/
const TITLE = /^(?:mr|mrs|ms|dr)\.?$/
const PART_OF_NUMBER = /^\+?[\d().\p{Pd}]+$/u
const WHOLE_NUMBER = /^\+?[\d\s().\p{Pd}]*\d[\d\s().\p{Pd}]*$/u

/** Of a text that is not empty at least one: what is nothing but marks is looked for as it is. */
export function typedWords(text: string): readonly string[] {
  const typed = text.split(/[\s,;]+/).filter(word => word !== '')
  const words = typed.filter((word, index) => !isTitle(word, index)).map(withoutMarks)
  const found = joinNumbers(words.filter(word => /[^.\p{Pd}]/u.test(word)))
  return found.length > 0 ? found : [text]
}

/** The digits of what is a number and nothing else, however it is written, or else null. */
export function digitsAlone(text: string): string | null {
  return WHOLE_NUMBER.test(text) ? digitsOf(text) : null
}

/** A name that is being typed may begin like a title: behind another word only the full stop tells. */
function isTitle(word: string, index: number): boolean {
  return TITLE.test(word) && (index === 0 || word.endsWith('.'))
}

function withoutMarks(word: string): string {
  const bare = bareWord(word)
  return LINK.test(bare) ? bareWord(bare.replace(LINK, '').replace(/\?.*$/, '')) : bare
}

const bareWord = (word: string) => word.replace(BEFORE_WORD, '').replace(AFTER_WORD, '')

/** A number is often written as several words. Fewer digits than a number has may be parts of it that were typed apart. */
function joinNumbers(words: readonly string[]): readonly string[] {
  const joined: string[] = []
  let group: string[] = []
  const endGroup = () => {
    const digits = digitsOf(group.join(' '))
    const isOne = digits.length >= PHONE_DIGITS || group[0]?.startsWith('+')
    joined.push(...(isOne && digits !== '' ? [digits] : group))
    group = []
  }
  for (const word of words) {
    if (PART_OF_NUMBER.test(word)) {
      group.push(word)
      continue
    }
    endGroup()
    joined.push(word)
  }
  endGroup()
  return joined
}

/** Without the country code, if it is said or one too many. One digit too many is another number. */
function digitsOf(text: string): string {
  const digits = text.replaceAll(/\D/g, '')
  const withCode = /^\+1\D*\d/.test(text) || (digits.length === PHONE_DIGITS + 1 && digits.startsWith('1'))
  return withCode ? digits.slice(1) : digits
}
