/**
 * How hard a text is to read, as a school grade: Flesch-Kincaid for English, Fernández Huerta for Spanish. Both count words per
 * sentence and syllables per word. They say nothing about sense, so use them to find sentences to look at, not to approve them.
 */

import { type Language, languageName } from '../domain/languages.ts'
import type { LaunchNote } from '../domain/launch/findings.ts'
import type { InEachLanguage } from '../site-folder/types.ts'

/** A page's sentences, the form's, or a legal text's. */
export interface ReadText {
  readonly language: Language
  readonly name: string
  readonly texts: readonly string[]
}

/** 6.9 is still sixth grade. */
export const SIXTH_GRADE = 6.95

/** The period in “a.m.” and “4.5” doesn't end a sentence. */
const SENTENCE = /(?<=[.!?…]["”)]?)\s+(?=["“(¿¡]?[\p{L}\d$])/u
const WORD = /[\p{L}\d][\p{L}\d’'-]*/gu

export const sentencesIn = (text: string) =>
  text
    .replaceAll(/\b([ap])\.\s?m\./g, '$1m')
    .split(SENTENCE)
    .map(sentence => sentence.trim())
    .filter(sentence => wordsIn(sentence).length > 0)

const wordsIn = (text: string) => text.match(WORD) ?? []

const VOWELS: InEachLanguage<RegExp> = {
  en: /[aeiouy]+/g,
  // Two strong vowels are two syllables, and so is an accented í or ú beside another vowel.
  es: /[iuü]?[aeoáéó][iuüy]?(?![íú])|[aeoáéóíú]|[iuü]+y?|y$/g,
}

export function syllablesIn(language: Language, word: string): number {
  const lower = word.toLowerCase()
  if (language === 'en') return englishSyllables(lower)
  return Math.max(1, lower.replaceAll(/qu(?=[eiéí])|gu(?=[eiéí])/g, 'k').match(VOWELS.es)?.length ?? 0)
}

function englishSyllables(word: string): number {
  const letters = word.replaceAll(/['’]\w+$/g, '')
  const spoken = letters
    // A silent e: “take”, “takes”, “asked”, “safely”; but “table”, “wanted”, “pages”.
    .replace(/(?<![aeiouy])le$/, 'el')
    .replace(/(?<=[^td])ed$|(?<=[^sxzcg]|[^cs]h)es$|(?<=[aeiouy][^aeiouy]{1,2})e$/, '')
    .replace(/e(?=ly$|less$|ment$|ful$)/, '')
  return Math.max(1, spoken.match(VOWELS.en)?.length ?? 0)
}

/** The grade of all texts together. Each text ends its last sentence. */
export function gradeOf({ language, texts }: Omit<ReadText, 'name'>): number {
  const sentences = texts.flatMap(sentencesIn)
  const words = sentences.flatMap(wordsIn)
  const perSentence = words.length / sentences.length
  const perWord = words.reduce((sum, word) => sum + syllablesIn(language, word), 0) / words.length
  return words.length === 0 ? 0 : formulas[language](perSentence, perWord)
}

const formulas: InEachLanguage<(perSentence: number, perWord: number) => number> = {
  en: (perSentence, perWord) => 0.39 * perSentence + 11.8 * perWord - 15.59,
  // Fernández Huerta: 80 to 90 is fifth grade, 70 to 80 sixth, 60 to 70 seventh and eighth.
  es: (perSentence, perWord) => {
    const ease = 206.84 - 60 * perWord - 1.02 * perSentence
    return ease > 70 ? 7 - (ease - 70) / 10 : 7 + (70 - ease) / 5
  },
}

/** The sentences to look at first. Short ones with a long word, such as a program's name, don't count. */
export const hardestIn = ({ language, texts }: Omit<ReadText, 'name'>, count = 3): readonly string[] =>
  texts
    .flatMap(sentencesIn)
    .filter(sentence => wordsIn(sentence).length >= 10)
    .map(sentence => ({ sentence, grade: gradeOf({ language, texts: [sentence] }) }))
    .toSorted((one, other) => other.grade - one.grade)
    .slice(0, count)
    .map(({ sentence }) => sentence)

/** One note per language with every grade, and one for each text above sixth grade with its hardest sentences. */
export function readingNotes(all: readonly ReadText[]): readonly LaunchNote[] {
  const inLanguages = Object.entries(Object.groupBy(all, ({ language }) => language))
  return inLanguages.flatMap(([language, texts = []]) => {
    const graded = texts.map(text => ({ ...text, grade: gradeOf(text) }))
    const list = graded.map(({ name, grade }) => `${name} ${grade.toFixed(1)}`).join(', ')
    const hard = graded.filter(({ grade }) => grade > SIXTH_GRADE)
    return [
      { id: `reading_level:${language}`, reason: `School grades of the texts in ${languageName(language)}: ${list}.` },
      ...hard.map(({ name, grade, ...text }) => ({
        id: `reading_level:${language} ${name}`,
        reason: `Grade ${grade.toFixed(1)}; aim for sixth. Hardest: ${hardestIn(text)
          .map(sentence => `“${sentence}”`)
          .join(' ')}`,
      })),
    ]
  })
}
