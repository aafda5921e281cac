/** When we can be reached, where we are and who we are: as much of it as the operator has filled in. */
import type { ReactNode } from 'react'

export interface OrganizationDetailsWords {
  readonly hoursLabel: string
  readonly addressLabel: string
  readonly peopleLabel: string
  readonly emailLabel: string
  readonly credentialsLabel: string
}

interface OrganizationDetailsProps {
  readonly words: OrganizationDetailsWords
  readonly email: string | null
  readonly hours: string | null
  readonly address: readonly string[] | null
  readonly people: readonly { readonly name: string; readonly role: string }[]
  readonly credentials: readonly string[]
}

export function OrganizationDetails({ words, email, hours, address, people, credentials }: OrganizationDetailsProps) {
  const details: readonly (readonly [label: string, shown: ReactNode])[] = [
    [words.emailLabel, email && <EmailLink address={email} />],
    [words.hoursLabel, hours],
    [words.addressLabel, address?.join(', ')],
    [words.peopleLabel, people.map(({ name, role }) => `${name}, ${role}`).join('; ')],
    [words.credentialsLabel, credentials.join('; ')],
  ]
  const filledIn = details.filter(([, shown]) => shown)
  if (filledIn.length === 0) return null
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-3">
      {filledIn.map(([label, shown]) => (
        <p key={label}>
          {label} {shown}
        </p>
      ))}
    </div>
  )
}

function EmailLink({ address }: { address: string }) {
  return (
    <a href={`mailto:${address}`} className="py-3.5 underline underline-offset-4">
      {address}
    </a>
  )
}
