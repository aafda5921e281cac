/** The words in each language. */
import { en } from './en/words.ts'
import type { InEachLanguage } from './languages.ts'

export const words = { en } as const satisfies InEachLanguage<unknown>
