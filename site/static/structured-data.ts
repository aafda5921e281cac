/** Structured data for search engines (schema.org). Without FAQ answers, which they show for few sites. */
import { organization } from '../../content/organization.ts'
import { telHref } from '../../domain/phone.ts'

export const organizationData = {
  '@context': 'https://schema.org',
  '@type': 'Organization',
  name: organization.name,
  description: organization.description,
  telephone: telHref(organization.phone).replace('tel:', ''),
  ...(organization.address === null ? {} : { address: organization.address.join(', ') }),
  ...(organization.email === null ? {} : { email: organization.email }),
}
