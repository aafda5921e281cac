/** When we can be reached, where we are and who we are: as much of it as the operator has filled in. */

export interface OrganizationDetailsWords {
  readonly hoursLabel: string
  readonly addressLabel: string
  readonly peopleLabel: string
}

interface OrganizationDetailsProps {
  readonly words: OrganizationDetailsWords
  readonly hours: string | null
  readonly address: readonly string[] | null
  readonly people: readonly { readonly name: string; readonly role: string }[]
}

export function OrganizationDetails({ words, hours, address, people }: OrganizationDetailsProps) {
  if (hours === null && address === null && people.length === 0) return null
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-3">
      {hours !== null && (
        <p>
          {words.hoursLabel} {hours}
        </p>
      )}
      {address !== null && (
        <p>
          {words.addressLabel} {address.join(', ')}
        </p>
      )}
      {people.length > 0 && (
        <p>
          {words.peopleLabel} {people.map(({ name, role }) => `${name}, ${role}`).join('; ')}
        </p>
      )}
    </div>
  )
}
