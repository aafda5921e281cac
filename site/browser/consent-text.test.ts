import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConsentText } from './consent-text.tsx'

const advertiser = 'SSDI Advocate'

const phone = '833-555-0100'

const privacyPolicy = { text: 'Privacy Policy', href: 'https://example.org/privacy' }

test.each([
  ['once', ['I let SSDI Advocate call me.']],
  ['twice', ['I let SSDI Advocate call me. SSDI Advocate may also write.']],
  ['in two paragraphs', ['I let SSDI Advocate call me.', `SSDI Advocate may also write. Or I call ${phone}.`]],
  ['at the ends', ['SSDI Advocate may call me, says SSDI Advocate']],
  ['beside its numbers', [`I call SSDI Advocate at ${phone}, or ${phone} calls me.`]],
  ['beside its policy', [`The Privacy Policy of SSDI Advocate is its Privacy Policy. I call ${phone}.`]],
  ['not at all', ['I agree to be called.', 'I can opt out.']],
])('text that names the advertiser %s is shown unchanged', (_, paragraphs) => {
  const text = paragraphs.join(' ')
  const html = renderToStaticMarkup(createElement(ConsentText, { paragraphs, advertiser, phone, privacyPolicy }))
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(text)
  const marked = html.match(/consent-advertiser-name">([^<]*)</g) ?? []
  expect(marked).toHaveLength(text.includes(advertiser) ? 1 : 0)
})

test.each([
  ['https://example.org/privacy', '<a href="https://example.org/privacy"'],
  [null, null],
])('the privacy policy is a link only if it has a URL (%s)', (href, link) => {
  const paragraphs = ['The Privacy Policy says how.']
  const html = renderToStaticMarkup(
    createElement(ConsentText, { paragraphs, advertiser, phone, privacyPolicy: { text: 'Privacy Policy', href } }),
  )
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(paragraphs[0])
  if (link === null) expect(html).not.toContain('<a')
  else expect(html).toContain(link)
})
