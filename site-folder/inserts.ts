/** Puts values such as {maximumBenefit} into texts. */
import { didYouMean } from './suggest.ts'

/** By name. Null: hidden, and so is a text that needs it. Empty: left out, with the space before it. */
export type Inserts = Readonly<Record<string, string | null>>

export interface Filled {
  readonly text: string
  /** The name of a hidden value that the text needs. */
  readonly hidden: string | null
  /** What to type instead. */
  readonly problems: readonly string[]
}

const INSERT = /( ?)(\$?)(\{\{?)\s*([^{}]*?)\s*\}\}?/g

export function fillIn(source: string, inserts: Inserts, later: readonly string[] = []): Filled {
  const problems: string[] = []
  let hidden: string | null = null
  const text = source.replace(
    INSERT,
    (raw, space: string, dollar: string, braces: string, typed: string, at: number) => {
      // Right in content/ up to 0.8.0.
      const name = typed.replace(/^(?:figures|organization|claims)\./, '')
      const known = Object.hasOwn(inserts, name)
      const canBeLater = later.includes(name)
      if (dollar || braces === '{{' || name !== typed) {
        problems.push(
          `Instead of ${raw.trim()}, type {${known || canBeLater ? name : meantBy(name, [...Object.keys(inserts), ...later])}}.`,
        )
        return raw
      }
      if (canBeLater) return raw
      if (!known) {
        problems.push(unknownName(name, inserts, later))
        return raw
      }
      const value = inserts[name] ?? null
      if (value === null) hidden = name
      // “until 6 p.m.” at the end of a sentence
      if (value) return `${space}${source.charAt(at + raw.length) === '.' ? value.replace(/\.$/, '') : value}`
      return at === 0 ? START : ''
    },
  )
  if (/[{}]/.test(source.replaceAll(INSERT, ''))) problems.push('A name needs both braces, such as {phone}.')
  return { text: text.replace(new RegExp(`^${START} ?`), ''), hidden, problems }
}

const START = '\u0000'

const meantBy = (name: string, known: readonly string[]) =>
  ({ name: 'organization', answers: 'weAnswerIn' })[name] ??
  known.find(each => each.toLowerCase() === name.toLowerCase()) ??
  (name || 'organization')

function unknownName(name: string, inserts: Inserts, later: readonly string[]): string {
  const known = [...later, ...Object.keys(inserts)]
  if (name === 'name')
    return `{name} is unknown here. Type {organization} for yours${later.includes('person') ? ', or {person} for theirs' : ''}.`
  if (name === '') return 'Between { and }, type a name such as {organization}.'
  if (known.length === 0) return `{${name}} can’t be filled in here. Type the text itself.`
  const meant = didYouMean(name, known, each => `{${each}}`)
  return `{${name}} is unknown here.${meant || ` These are known: ${known.map(each => `{${each}}`).join(', ')}.`}`
}
