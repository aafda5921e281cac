/** What search engines are told about us and our answers, as schema.org objects. */
import type { LinkedText } from '../../content/links.ts'
import { organization } from '../../content/organization.ts'

export const organizationData = {
  '@context': 'https://schema.org',
  '@type': 'Organization',
  name: organization.name,
  description: organization.description,
  telephone: organization.phone.href.replace('tel:', ''),
  ...(organization.address === null ? {} : { address: organization.address.join(', ') }),
}

export function faqData(items: readonly { readonly question: string; readonly answer: LinkedText }[]) {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: items.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: wordsOf(answer) },
    })),
  }
}

function wordsOf(text: LinkedText): string {
  return [text]
    .flat()
    .map(part => (typeof part === 'string' ? part : part.text))
    .join('')
}
