/** Legal pages from content/en/legal/ and its counterparts, in one column for reading and printing. */
import type { Language } from '../../../content/languages.ts'
import type { LegalPage } from '../../../content/legal.ts'
import { organization } from '../../../content/organization.ts'
import { tested } from '../../../content/tested.ts'
import { words } from '../../../content/words.ts'
import { telHref } from '../../../domain/phone.ts'
import { renderMarkdown } from '../markdown.tsx'
import { fileAt, type Page, plainPage, type SiteCopy } from '../page.ts'

/** How much of a page's first paragraph search engines show, in characters. */
const SUMMARY_LENGTH = 160

/** Drafts aren't published. */
export function publishedLegalPages(
  pages: readonly LegalPage[],
  facts: Readonly<Record<string, string | null>>,
  site: SiteCopy,
): readonly Page[] {
  return pages.filter(({ isDraft }) => !isDraft).map(page => legalPage(page, facts, site))
}

function legalPage(source: LegalPage, facts: Readonly<Record<string, string | null>>, site: SiteCopy): Page {
  const { title, summary, body } = renderMarkdown(source, facts)
  const copy = { title: `${title} | ${organization.name}`, description: truncate(summary) }
  return {
    ...plainPage(source.path, fileAt(source.path), copy, site),
    indexed: true,
    hasCallButton: source.text.includes('{{relay}}'),
    render: () => <article className="mx-auto max-w-[44rem] px-[20px] pt-8 pb-16 lg:pt-12">{body}</article>,
  }
}

function truncate(text: string): string {
  if (text.length <= SUMMARY_LENGTH) return text
  return `${text.slice(0, SUMMARY_LENGTH).replace(/\s+\S*$/, '')}…`
}

/** Values for placeholders such as `{{name}}`, as Markdown. Null if not filled in yet. */
export function legalFacts(language: Language): Readonly<Record<string, string | null>> {
  const { name, phone, email, hours, address } = organization
  return {
    name,
    phone: `[${phone}](${telHref(phone)})`,
    email: email && `[${email}](mailto:${email})`,
    hours: hours?.[language] ?? null,
    ...words[language].legalWords,
    address: address?.join(', ') ?? null,
    tested: tested.map(({ shows }) => `- ${shows[language]}`).join('\n'),
  }
}
