import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { externalLinks, linkFindings } from './links.ts'

const SITE = 'https://www.acme.test'
const terms = builtPage('<h2 id="fees">Fees</h2>', { path: '/terms' })
const found = (link: string) =>
  named(linkFindings([builtPage(`<main id="main"></main>${link}`), terms], ['/sitemap.xml'], SITE))

test.each([
  '<a href="/terms">Terms</a>',
  '<a href="/terms#fees">Fees</a>',
  '<a href="#main">Skip</a>',
  `<a href="${SITE}/terms">Terms</a>`,
  '<a href="/sitemap.xml">Map</a>',
  '<a href="tel:+18332432965">833-243-2965</a>',
  '<a href="tel:+18332432965">Call now</a>',
  '<a href="mailto:ann@acme.test">Write</a>',
  '<a href="https://www.ssa.gov/disability">ssa.gov</a>',
])('%s arrives', link => {
  expect(found(link)).toEqual([])
})

test.each([
  ['<a>Help</a>', 'link_without_destination:Help'],
  ['<a href="#">Help</a>', 'link_without_destination:Help'],
  ['<a href="">Help</a>', 'link_without_destination:Help'],
  ['<a href="/no-such-page">Help</a>', 'dead_link:/no-such-page'],
  ['<a href="/terms#no-such-place">Help</a>', 'dead_link:/terms#no-such-place'],
  ['<a href="#no-such-place">Help</a>', 'dead_link:#no-such-place'],
  ['<a href="#100%">Help</a>', 'dead_link:#100%'],
  [`<a href="${SITE}/gone">Help</a>`, `dead_link:${SITE}/gone`],
  ['<a href="javascript:void 0">Help</a>', 'dead_link:javascript:void 0'],
  ['<a href="mailto:ann">Help</a>', 'dead_link:mailto:ann'],
  ['<a href="https://www.example.org/help">Help</a>', 'dead_link:https://www.example.org/help'],
  ['<a href="tel:+15550001111">833-243-2965</a>', 'phone_link_differs:833-243-2965'],
])('%s does not', (link, name) => {
  expect(found(link)).toEqual([name])
})

test('a link on every page is told once', () => {
  const pages = ['/', '/terms'].map(path => builtPage('<a>Help</a>', { path }))
  expect(linkFindings(pages, [], SITE)).toHaveLength(1)
})

test('links that leave the site are listed once, without their place in the page', () => {
  const body = `<a href="/terms"></a><a href="tel:1"></a><a href="https://a.test/x?y=1#z"></a><a href="https://a.test/x?y=1"></a>`
  expect(externalLinks([builtPage(body)], SITE)).toEqual(['https://a.test/x?y=1'])
})
