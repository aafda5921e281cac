import type { FoundText, Language } from '../../site-folder/types.ts'

/** A text as the launch rules get it. */
export const found = (name: string, text: string, language: Language = 'en'): FoundText => ({
  file: `content/${language}.toml`,
  line: 1,
  name,
  language,
  text,
})
