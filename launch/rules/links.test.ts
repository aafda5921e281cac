import { afterAll, expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { listen } from '../../tests/support/receiver.ts'
import { checkExternalLinks, externalLinks, linkFindings } from './links.ts'

const SITE = 'https://www.acme.test'
const terms = builtPage('<h2 id="fees">Fees</h2>', { path: '/terms' })
const found = (link: string) => {
  const pages = [builtPage(`<main id="main"></main>${link}`), terms]
  return named(linkFindings({ pages, otherPaths: ['/sitemap.xml'], siteUrl: SITE }))
}

test.each([
  '<a href="/terms">Terms</a>',
  '<a href="/terms#fees">Fees</a>',
  '<a href="#main">Skip</a>',
  `<a href="${SITE}/terms">Terms</a>`,
  '<a href="/sitemap.xml">Map</a>',
  '<a href="tel:+18332432965">Call now</a>',
  '<a href="mailto:ann@acme.test">Write</a>',
  '<a href="https://www.ssa.gov/disability">ssa.gov</a>',
])('%s works', link => expect(found(link)).toEqual([]))

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
  ['<a href="https://www.example.org/help">Help</a>', 'dead_link:https://www.example.org/help'],
])('%s is reported', (link, name) => expect(found(link)).toEqual([name]))

test('a link on every page is reported once; external links are listed once, without fragments', () => {
  const pages = ['/', '/terms'].map(path => builtPage('<a>Help</a>', { path }))
  expect(linkFindings({ pages, otherPaths: [], siteUrl: SITE })).toHaveLength(1)
  const body = `<a href="/terms"></a><a href="tel:1"></a><a href="https://a.test/x?y=1#z"></a><a href="https://a.test/x?y=1"></a>`
  expect(externalLinks({ pages: [builtPage(body)], siteUrl: SITE })).toEqual(['https://a.test/x?y=1'])
})

/** Responds with the status in the path. */
const { url, close } = await listen((request, response) => {
  response.statusCode = Number(request.url?.slice(1))
  if (response.statusCode === 302) response.setHeader('location', '/404')
  response.end()
})
afterAll(close)

test('a missing page is a broken link, even behind a redirect; a site that blocks bots isn’t checked', async () => {
  const statuses = { dead_link: [302, 404, 410, 500], link_not_checked: [403, 429], fine: [200] }
  for (const [expected, status] of Object.entries(statuses).flatMap(([name, all]) => all.map(each => [name, each]))) {
    const { findings, notes } = await checkExternalLinks([`${url}/${status}`])
    const codes = [...findings.map(({ code }) => code), ...notes.map(({ id }) => id.split(':')[0])]
    expect([status, ...codes]).toEqual([status, ...(expected === 'fine' ? [] : [expected])])
  }
})

test('an unreachable site is a broken link if others can be reached, and unknown if none can', async () => {
  // fetch refuses to connect to this port.
  const dead = 'http://127.0.0.1:9/'
  expect((await checkExternalLinks([dead, `${url}/200`])).findings.map(({ subject }) => subject)).toEqual([dead])
  const offline = await checkExternalLinks([dead])
  expect([offline.findings, offline.notes.map(({ id }) => id)]).toEqual([[], [`link_not_checked:${dead}`]])
})
