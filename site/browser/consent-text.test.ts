import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { LinkedText } from '../../site-folder/types.ts'
import { ConsentText } from './consent-text.tsx'

const [advertiser, phone] = ['SSDI Advocate', '833-555-0100']
const privacy = { text: 'Privacy Policy', href: 'https://example.org/privacy' }
const render = (below: readonly LinkedText[]) =>
  renderToStaticMarkup(createElement(ConsentText, { below, advertiser, phone }))
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '')

test.each([
  ['once', ['I let SSDI Advocate call me.']],
  ['twice', ['I let SSDI Advocate call me. SSDI Advocate may also write.']],
  ['in two paragraphs', ['I let SSDI Advocate call me.', `SSDI Advocate may also write. Or I call ${phone}.`]],
  ['at both ends', ['SSDI Advocate may call me, says SSDI Advocate']],
  ['next to its phone number', [`I call SSDI Advocate at ${phone}, or ${phone} calls me.`]],
  ['not at all', ['I agree to be called.', 'I can opt out.']],
])('text that names the advertiser %s is shown unchanged', (_, paragraphs) => {
  const html = render(paragraphs)
  expect(textOf(html)).toBe(paragraphs.join(' '))
  const marked = html.match(/consent-advertiser-name">([^<]*)</g) ?? []
  expect(marked).toHaveLength(textOf(html).includes(advertiser) ? 1 : 0)
})

test('each link has its own target, also beside the same words', () => {
  const html = render([
    ['The ', privacy, ' of SSDI Advocate, not a Privacy Policy.'],
    [{ text: '/stop', href: '/stop' }],
  ])
  expect(textOf(html)).toBe('The Privacy Policy of SSDI Advocate, not a Privacy Policy. /stop')
  expect(Array.from(html.matchAll(/href="([^"]*)"[^>]*>([^<]*)/g), ([, href, text]) => [href, text])).toEqual([
    [privacy.href, privacy.text],
    ['/stop', '/stop'],
  ])
})
