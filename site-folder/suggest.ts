/** “Did you mean …?” */
import { isOneTypoAway } from '../domain/text/typos.ts'

const normalized = (name: string) => name.replaceAll(/[-_\s.]/g, '').toLowerCase()

export function suggestion(typed: string, known: readonly string[]): string | null {
  const wanted = normalized(typed)
  const close =
    known.find(name => normalized(name) === wanted) ?? known.find(name => isOneTypoAway(wanted, normalized(name)))
  if (close !== undefined || wanted.length < 4) return close ?? null
  return known.find(name => normalized(name).startsWith(wanted) || wanted.startsWith(normalized(name))) ?? null
}

export const didYouMean = (typed: string, known: readonly string[], format = (name: string) => name): string => {
  const meant = suggestion(typed, known)
  return meant === null ? '' : ` Did you mean ${format(meant)}?`
}
