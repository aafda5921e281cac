/** Renders the site to strings. The build plugin calls it for each request in development and for each file in a build. */

import { renderToStaticMarkup } from 'react-dom/server'
import { type Language, pathInLanguage } from '../../domain/languages.ts'
import { colors, languages, organization, words } from '../../site-folder/site.ts'
import type { Color, InEachLanguage } from '../../site-folder/types.ts'

import { contactFormCopy } from '../copy/contact-form-copy.ts'
import { panelCopy } from '../copy/panel-copy.ts'
import css from '../styles.css?inline'
import { CONTACT_CARD_PATH, contactCard } from './contact-card.ts'
import { Document } from './document.tsx'
import { isDrawing, type Page, type PageProps, type SiteAssets } from './page.ts'
import { pages } from './pages.ts'
import { createServerCopy } from './server-copy.ts'
import { ShortDocument } from './short-document.tsx'

export interface RenderOptions extends Omit<PageProps, 'destination'> {
  readonly destinations: InEachLanguage<PageProps['destination']>
  readonly draftVersion: string
  /** Null if SITE_URL isn't set; pages then contain no absolute URLs. */
  readonly siteUrl: string | null
  readonly panelScripts: InEachLanguage
  readonly typefacesScript: string
  /** The `@font-face` rules for the fonts and their fallbacks. */
  readonly typefaces: string
  readonly fallbackFonts: string
}

export { organization, pages }

/** For the panel's script (publish/site.ts). */
export const browserWords = { panelCopy, contactFormCopy }

export const serverCopy = createServerCopy([
  ...new Set(pages.flatMap(page => (page.hasQuestionnaire && page.path !== null ? [page.path] : []))),
])

/**
 * The parts of lucide's output that static icons don't need: class names, a namespace, and a size (our classes set it).
 * Removing them saves 200 bytes in the first round trip.
 */
const STATIC_ICON = /<svg xmlns="[^"]+" width="24" height="24"([^>]* class=")lucide(?: lucide-[\w-]+)+ (?=shrink-0)/g

/** Values instead of variables, which saves bytes. */
const brandCss = css.replaceAll(/var\(--brand-([\w-]+)\)/g, (_, name) => colors[name as Color])

/** Letters and signs in the fonts' second files (build/fonts.ts). Pages without them don't list those files. */
const OTHER_LETTERS = /[¢-¨ª-¶¸-¾ÀÂ-ÈÊ-ÌÎ-ÐÒÔ-ÙÛÝ-àâ-èê-ìî-ðòô-ùûý-ÿ]/
const REST_OF_FONT = /@font-face\{[^}]*-rest-[^}]*\}/g

export function renderPage(page: Page, options: RenderOptions): string {
  const { fallbackFonts, destinations, panelScripts, typefacesScript, ...rest } = options
  const { language } = page.copy
  const destination = { ...destinations[language], ...(page.variant && { variant: page.variant }) }
  if (page.isShort)
    return `<!doctype html>${renderToStaticMarkup(<ShortDocument {...rest} destination={destination} page={page} />)}`
  const scripts = { panel: panelScripts[language], typefaces: typefacesScript }
  // On paper, a path needs its host.
  const host = JSON.stringify(options.siteUrl === null ? '' : new URL(options.siteUrl).host)
  const pageCss = fallbackFonts + brandCss.replace('var(--host)', host)
  const html = renderToStaticMarkup(
    <Document {...rest} destination={destination} scripts={scripts} page={page} css={pageCss} />,
  )
  const text = html.replaceAll(STATIC_ICON, '<svg$1')
  return `<!doctype html>${OTHER_LETTERS.test(text) ? text : text.replaceAll(REST_OF_FONT, '')}`
}

/** Small files that browsers and search engines request, by path. */
export function renderDiscoveryFiles({ siteUrl, assets }: RenderOptions): Readonly<Record<string, string>> {
  return {
    '/robots.txt': `User-agent: *\nDisallow: /api/\n${siteUrl ? `\nSitemap: ${new URL('/sitemap.xml', siteUrl).href}\n` : ''}`,
    ...(siteUrl && { '/sitemap.xml': sitemap(siteUrl) }),
    ...(organization.callsComeFromPhone && { [CONTACT_CARD_PATH]: contactCard(organization) }),
    ...Object.fromEntries(
      languages.map(language => [
        pathInLanguage(language, '/site.webmanifest'),
        JSON.stringify(webManifest(language, assets)),
      ]),
    ),
  }
}

function sitemap(siteUrl: string): string {
  const paths = new Set(pages.flatMap(({ indexed, path }) => (indexed && path !== null ? [path] : [])))
  const urls = Array.from(paths, path => `<url><loc>${new URL(path, siteUrl).href}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
}

function webManifest(language: Language, assets: SiteAssets) {
  return {
    name: organization.name,
    short_name: organization.name,
    lang: language,
    description: words[language].description,
    start_url: pathInLanguage(language, '/'),
    display: 'browser',
    background_color: colors.paper,
    theme_color: colors.paper,
    icons: [
      ...(isDrawing(assets.mark) ? [{ src: assets.mark, type: 'image/svg+xml', sizes: 'any' }] : []),
      { src: assets.largeIcon, type: 'image/png', sizes: '512x512' },
      { src: assets.touchIcon, type: 'image/png', sizes: '180x180' },
    ],
  }
}
