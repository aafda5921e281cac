/** When we can be reached, where we are and who we are: as much of it as the operator has filled in. */
import { footer } from '../../content/shared.ts'

interface OrganizationDetailsProps {
  readonly hours: string | null
  readonly address: readonly string[] | null
  readonly people: readonly { readonly name: string; readonly role: string }[]
}

export function OrganizationDetails({ hours, address, people }: OrganizationDetailsProps) {
  if (hours === null && address === null && people.length === 0) return null
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-3">
      {hours !== null && (
        <p>
          {footer.hoursLabel} {hours}
        </p>
      )}
      {address !== null && (
        <p>
          {footer.addressLabel} {address.join(', ')}
        </p>
      )}
      {people.length > 0 && (
        <p>
          {footer.peopleLabel} {people.map(({ name, role }) => `${name}, ${role}`).join('; ')}
        </p>
      )}
    </div>
  )
}
