/** Display names for people. */
import { oneLine } from '../../../domain/text/text.ts'

interface Named {
  readonly firstName: string | null
  readonly lastName: string | null
}

export const ERASED_NAME = 'Name erased'

/** Leads from before 0.9.0 may have characters that turn the last name around, which `bdi` alone can't prevent. */
export const fullName = ({ firstName, lastName }: Named) =>
  firstName === null && lastName === null ? ERASED_NAME : oneLine(`${firstName ?? ''} ${lastName ?? ''}`)

/** Isolated, so a right-to-left name doesn't reorder the text around it. Very long names are truncated. */
export function PersonName(named: Named) {
  const name = fullName(named)
  return (
    <bdi title={name.length > 40 ? truncate(name, 300) : undefined} className="line-clamp-4">
      {truncate(name, 400)}
    </bdi>
  )
}

/** Names can be up to 10,000 characters long, which makes lists slow. */
export const truncate = (text: string, max: number) =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()}…`

/** Everyone on the number, or everyone a call was about: "Walter and Wanda Lee", or "Ann Lee and Bob Park". Nobody: all were erased. */
export function Names({
  people,
}: {
  readonly people: readonly { readonly firstName: string; readonly lastName: string }[]
}) {
  const [first, ...rest] = people
  const isFamily = rest.length > 0 && rest.every(({ lastName }) => lastName === first?.lastName)
  const given = new Intl.ListFormat('en-US').format(people.map(({ firstName }) => firstName))
  if (first && isFamily) return <PersonName firstName={given} lastName={first.lastName} />
  const names = new Intl.ListFormat('en-US').format(people.map(person => fullName(person)))
  return <PersonName firstName={names || null} lastName={null} />
}
