/** Figures in words: “2-minute”, “about five years”. */
import { fillIn } from './inserts.ts'

/** Spells out a number within a sentence. Numbers above twelve stay digits. `names`: from zero to twelve. */
export const numberWord = (number: number, names: string): string => names.split(/\s+/)[number] ?? String(number)

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** {value}, the first and last number in it, and the value spelled out. */
export function wordingInserts(value: string, numbers: string) {
  const found = value.match(/\d+/g) ?? []
  return { value, from: found[0] ?? value, to: found.at(-1) ?? value, inWords: numberWord(Number(value), numbers) }
}

export const figureInWords = (wording: string, value: string, numbers: string) =>
  fillIn(wording, wordingInserts(value, numbers))
