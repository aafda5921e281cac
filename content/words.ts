/** The words in each language. */
import { en } from './en/words.ts'
import { es } from './es/words.ts'
import type { InEachLanguage } from './languages.ts'

export const words = { en, es } as const satisfies InEachLanguage<unknown>
