import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { organization } from '../../content/organization.ts'
import { ConsentText } from './consent-text.tsx'

const advertiser = 'SSDI Advocate'

const phone = organization.phone.shown

test.each([
  ['once', ['I let SSDI Advocate call me.']],
  ['twice', ['I let SSDI Advocate call me. SSDI Advocate may also write.']],
  ['in two paragraphs', ['I let SSDI Advocate call me.', `SSDI Advocate may also write. Or I call ${phone}.`]],
  ['at the ends', ['SSDI Advocate may call me, says SSDI Advocate']],
  ['beside its numbers', [`I call SSDI Advocate at ${phone}, or ${phone} calls me.`]],
  ['not at all', ['I agree to be called.', 'I can opt out.']],
])('a text that names the advertiser %s is shown to the letter', (_, paragraphs) => {
  const text = paragraphs.join(' ')
  const html = renderToStaticMarkup(createElement(ConsentText, { paragraphs, advertiser }))
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(text)
  const marked = html.match(/consent-advertiser-name">([^<]*)</g) ?? []
  expect(marked).toHaveLength(text.includes(advertiser) ? 1 : 0)
})
