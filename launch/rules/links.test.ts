import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { checkExternalLinks, externalLinks, linkFindings } from './links.ts'

const SITE = 'https://www.acme.test'
const terms = builtPage('<h2 id="fees">Fees</h2>', { path: '/terms' })
const found = (link: string) =>
  named(
    linkFindings({
      pages: [builtPage(`<main id="main"></main>${link}`), terms],
      otherPaths: ['/sitemap.xml'],
      siteUrl: SITE,
    }),
  )

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

test('a link on every page is reported once', () => {
  const pages = ['/', '/terms'].map(path => builtPage('<a>Help</a>', { path }))
  expect(linkFindings({ pages, otherPaths: [], siteUrl: SITE })).toHaveLength(1)
})

test('links that leave the site are listed once, without their place in the page', () => {
  const body = `<a href="/terms"></a><a href="tel:1"></a><a href="https://a.test/x?y=1#z"></a><a href="https://a.test/x?y=1"></a>`
  expect(externalLinks({ pages: [builtPage(body)], siteUrl: SITE })).toEqual(['https://a.test/x?y=1'])
})

/** Answers with the status in the path; a path with "get" in it answers to GET only. */
const site = createServer((request, response) => {
  const status = Number(/\d{3}/.exec(request.url ?? '')?.[0])
  response.statusCode = request.url?.includes('get') && request.method === 'HEAD' ? 404 : status
  if (status === 302) response.setHeader('location', '/404')
  response.end()
})
/** Nothing listens there: the port was another server's, which is gone. */
let closedPort = 0
let url = ''

beforeAll(async () => {
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const gone = createServer()
  await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve))
  closedPort = (gone.address() as AddressInfo).port
  await new Promise(resolve => gone.close(resolve))
})

afterAll(() => site.close())

const verdicts = async (...urls: string[]) => (await checkExternalLinks(urls)).map(({ verdict }) => verdict)

test('a page that answers is alive, also one that answers only to a browser’s kind of request', async () => {
  expect(await verdicts(`${url}/200`, `${url}/get-200`)).toEqual(['alive', 'alive'])
})

test('a missing page is dead, even behind a redirect', async () => {
  expect(await verdicts(`${url}/404`, `${url}/410`, `${url}/500`, `${url}/302`)).toEqual(Array(4).fill('dead'))
})

test('a site that keeps programs out is not judged', async () => {
  expect(await verdicts(`${url}/403`, `${url}/429`)).toEqual(['unchecked', 'unchecked'])
})

test('a site that cannot be reached is dead if others can be, and is not judged if none can', async () => {
  const gone = `http://127.0.0.1:${closedPort}/`
  expect(await verdicts(gone, `${url}/200`)).toEqual(['dead', 'alive'])
  expect(await verdicts(gone)).toEqual(['unchecked'])
})
