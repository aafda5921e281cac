/** What your team says on the phone, by language. The desk reads it; no page has it. */
import { calls as en } from './en/calls.ts'
import { calls as es } from './es/calls.ts'
import type { InEachLanguage } from './languages.ts'
import type { CallWords } from './types.ts'

export const callWords: InEachLanguage<CallWords> = { en, es }
