import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConsentText } from './consent-text.tsx'

const [advertiser, phone, text] = ['SSDI Advocate', '833-555-0100', 'Privacy Policy']
const render = (paragraphs: readonly string[], href: string | null = 'https://example.org/privacy') =>
  renderToStaticMarkup(
    createElement(ConsentText, {
      paragraphs,
      advertiser,
      phone,
      links: [
        { text: '/stop', href: '/stop' },
        { text, href },
      ],
    }),
  )
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '')

test.each([
  ['once', ['I let SSDI Advocate call me.']],
  ['twice', ['I let SSDI Advocate call me. SSDI Advocate may also write.']],
  ['in two paragraphs', ['I let SSDI Advocate call me.', `SSDI Advocate may also write. Or I call ${phone}.`]],
  ['at both ends', ['SSDI Advocate may call me, says SSDI Advocate']],
  ['next to its phone number', [`I call SSDI Advocate at ${phone}, or ${phone} calls me.`]],
  ['next to its privacy policy', [`The Privacy Policy of SSDI Advocate is its Privacy Policy. I call ${phone}.`]],
  ['not at all', ['I agree to be called.', 'I can opt out.']],
])('text that names the advertiser %s is shown unchanged', (_, paragraphs) => {
  const html = render(paragraphs)
  expect(textOf(html)).toBe(paragraphs.join(' '))
  const marked = html.match(/consent-advertiser-name">([^<]*)</g) ?? []
  expect(marked).toHaveLength(textOf(html).includes(advertiser) ? 1 : 0)
})

test('the page to opt out on is a link, and the privacy policy only if it has a URL', () => {
  expect(render(['I can opt out at /stop. The Privacy Policy says how.'])).toMatch(/href="\/stop".*href="https:/)
  const paragraphs = ['The Privacy Policy says how.']
  expect(render(paragraphs)).toContain('<a href="https://example.org/privacy"')
  expect(render(paragraphs, null)).not.toContain('<a')
  expect(textOf(render(paragraphs, null))).toBe(paragraphs[0])
})
