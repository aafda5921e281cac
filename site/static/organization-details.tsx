/** The contact details, people, and credentials from organization.toml. Omits anything that isn't filled in. */

import type { ReactNode } from 'react'
import type { OrganizationDetailsCopy } from '../../site-folder/types.ts'

interface OrganizationDetailsProps {
  readonly copy: OrganizationDetailsCopy
  readonly email?: string | undefined
  readonly hours?: string | undefined
  readonly address?: readonly string[] | undefined
  readonly people?: readonly { readonly name: string; readonly role: string }[]
  readonly credentials: readonly string[]
  readonly className?: string
}

export function OrganizationDetails({ copy, className = '', ...filled }: OrganizationDetailsProps) {
  const { email, hours, address, people = [], credentials } = filled
  const details: readonly (readonly [label: string, shown: ReactNode])[] = [
    [copy.emailLabel, email && <EmailLink address={email} />],
    [copy.hoursLabel, hours],
    [copy.addressLabel, address?.join(', ')],
    [copy.peopleLabel, people.map(({ name, role }) => `${name}, ${role}`).join('; ')],
    [copy.credentialsLabel, credentials.join('; ')],
  ]
  const filledIn = details.filter(([, shown]) => shown)
  if (filledIn.length === 0) return null
  return (
    <div className={className}>
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
