/** Who the organization is: its own name and number, and where and when people reach it. */
import type { LaunchFinding } from '../findings.ts'

const DELIVERED = { name: 'SSDI Advocate', phone: '833-243-2965' }

interface Organization {
  readonly name: string
  readonly phone: string
  readonly address: readonly string[] | null
  readonly hours: string | null
}

export function organizationFindings(organization: Organization): readonly LaunchFinding[] {
  const file = 'content/organization.ts'
  const at = (field: string) => ({ file, after: ['export const organization', `${field}:`] })
  const asDelivered = (['name', 'phone'] as const)
    .filter(field => organization[field] === DELIVERED[field])
    .map((field): LaunchFinding => {
      const detail = `${field} ${DELIVERED[field]}`
      return { code: 'organization_as_delivered', subject: field, detail, change: at(field) }
    })
  const missing = (['address', 'hours'] as const)
    .filter(field => !organization[field]?.length)
    .map(
      (field): LaunchFinding => ({ code: 'organization_incomplete', subject: field, detail: field, change: at(field) }),
    )
  return [...asDelivered, ...missing]
}
