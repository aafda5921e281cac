/** What search engines are told about us and our answers, as schema.org objects. */
import { landing } from '../content/landing.ts'
import { organization } from '../content/organization.ts'

export const organizationData = {
  '@context': 'https://schema.org',
  '@type': 'Organization',
  name: organization.name,
  description: organization.description,
  telephone: organization.phone.href.replace('tel:', ''),
}

export const faqData = {
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: landing.faq.items.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
}
