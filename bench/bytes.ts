/** The bytes that a visitor's phone has to fetch. */
import { BUILT } from '../build/build.ts'
import { type LoadedFile, loadSite } from '../server/http/site.ts'
import { printTable, verdict } from './table.ts'

/** Ten packets of 1,460 bytes: the page arrives in one round trip. */
const HTML_BAR = 14_600
const SCRIPTS_BAR = 70_000
const HEADING_FONT_BAR = 10_000
const BODY_FONT_BAR = 18_000

/** The smallest representation is what every current browser gets. */
const sentBytes = ({ representations }: LoadedFile) => representations[0]?.body.length ?? 0

export function measureBytes(): void {
  const site = loadSite(BUILT)
  // By file name: a script has more than one address for retries, but is fetched once.
  const variants = [...site.variants.values()].flat()
  const all = [...site.byPath.values(), ...variants, site.notFound, site.error]
  const files = new Map(all.map(file => [file.file, file]))
  const ofType = (type: string) => [...files.values()].filter(file => file.type.startsWith(type))
  const sum = (chosen: readonly LoadedFile[]) => chosen.reduce((total, file) => total + sentBytes(file), 0)
  const scripts = ofType('text/javascript')
  // The rest of the alphabet is fetched only by a page that uses it; ours don't.
  const fonts = ofType('font/').filter(({ file }) => !file.includes('-rest-'))
  const row = (name: string, bytes: number, bar: number) => [name, count(bytes), count(bar), verdict(bytes <= bar)]
  printTable(
    ['What is sent', 'Bytes', 'Bar', ''],
    [
      ...ofType('text/html').map(page => row(`HTML of ${page.path ?? page.file}`, sentBytes(page), HTML_BAR)),
      row(`JavaScript of / (${scripts.length} files)`, sum(scripts), SCRIPTS_BAR),
      row('Font of headings', sum(fonts.filter(isOfHeadings)), HEADING_FONT_BAR),
      row('Font of everything else', sum(fonts.filter(font => !isOfHeadings(font))), BODY_FONT_BAR),
    ],
  )
}

const isOfHeadings = ({ file }: LoadedFile) => file.includes('fraunces')
const count = (bytes: number) => bytes.toLocaleString('en-US')
