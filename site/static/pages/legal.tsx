/** Legal pages from legal/, in one column for reading and printing. */

import { organization } from '../../../site-folder/site.ts'
import type { LegalPage } from '../../../site-folder/types.ts'
import { renderMarkdown } from '../markdown.tsx'
import { fileAt, type Page, plainPage, type SiteCopy } from '../page.ts'

/** How much of a page's first paragraph search engines show, in characters. */
const SUMMARY_LENGTH = 160

/** Drafts aren't published. */
export function publishedLegalPages(pages: readonly LegalPage[], site: SiteCopy): readonly Page[] {
  return pages.filter(({ isDraft }) => !isDraft).map(page => legalPage(page, site))
}

function legalPage(source: LegalPage, site: SiteCopy): Page {
  const { title, summary, body } = renderMarkdown(source.blocks)
  const copy = { title: `${title} | ${organization.name}`, description: truncate(summary) }
  return {
    ...plainPage(source.path, fileAt(source.path), copy, site),
    indexed: true,
    hasCallButton: source.hasRelay,
    render: () => <article className="mx-auto max-w-[44rem] px-[20px] pt-8 pb-16 lg:pt-12">{body}</article>,
  }
}

function truncate(text: string): string {
  if (text.length <= SUMMARY_LENGTH) return text
  return `${text.slice(0, SUMMARY_LENGTH).replace(/\s+\S*$/, '')}…`
}
