/** A letter as plain text and as simple HTML, which follows the reader's font size and dark mode, and reads well aloud. */

import { telHref } from '../../domain/contact/phone.ts'
import { escapeHtml } from '../intake/plain-form.ts'

export type Paragraph = string | { readonly before: string; readonly link: string }

interface Draft {
  /** To be tapped where a paragraph has it. */
  readonly phone?: string
  readonly language: string
  readonly title: string
  readonly paragraphs: readonly Paragraph[]
}

export function htmlOf({ language, title, paragraphs, phone }: Draft): {
  readonly text: string
  readonly html: string
} {
  const text = `${paragraphs.map(part => (typeof part === 'string' ? part : `${part.before}\n${part.link}`)).join('\n\n')}\n`
  const body = paragraphs
    .map(part => `<p>${typeof part === 'string' ? withLink(part, phone) : linkOf(part)}</p>`)
    .join('\n')
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark }
body { max-width: 34em; margin: 0 auto; padding: 1em; font: 1.125rem/1.5 system-ui, sans-serif }
a { overflow-wrap: anywhere }
a[href^="tel:"] { white-space: nowrap }
</style>
</head>
<body>
${body}
</body>
</html>
`
  return { text, html }
}

const linkOf = ({ before, link }: Exclude<Paragraph, string>) =>
  `${escapeHtml(before)}<br><a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`

function withLink(text: string, phone: string | undefined): string {
  const shown = escapeHtml(text)
  return phone === undefined
    ? shown
    : shown.replaceAll(escapeHtml(phone), number => `<a href="${telHref(phone)}">${number}</a>`)
}
