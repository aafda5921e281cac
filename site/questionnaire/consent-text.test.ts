import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ConsentText } from './consent-text.tsx'

const advertiser = 'SSDI Advocate'

test.each([
  ['once', 'I let SSDI Advocate call me.'],
  ['twice', 'I let SSDI Advocate call me. SSDI Advocate may also write.'],
  ['at the ends', 'SSDI Advocate may call me, says SSDI Advocate'],
  ['not at all', 'I agree to be called.'],
])('a text that names the advertiser %s is shown to the letter', (_, text) => {
  const html = renderToStaticMarkup(createElement(ConsentText, { text, advertiser }))
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(text)
  const marked = html.match(/consent-advertiser-name">([^<]*)</g) ?? []
  expect(marked).toHaveLength(text.includes(advertiser) ? 1 : 0)
})
