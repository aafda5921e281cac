/** A lead's language. English goes without saying. */
import { ENGLISH, languageName } from '../../../domain/languages.ts'

export function LanguageBadge({ language }: { readonly language: string }) {
  if (language === ENGLISH) return null
  return (
    <span className="whitespace-nowrap rounded-md border border-edge px-1.5 text-small leading-5 font-bold">
      {languageName(language)}
    </span>
  )
}
