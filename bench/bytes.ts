/** Measures how many bytes a visitor's phone downloads. */
import { BUILT } from '../build/build.ts'
import { type LoadedFile, loadSite, textOf } from '../server/http/site.ts'
import { printTable, verdict } from './table.ts'

/** Ten 1,460-byte packets: what a server can send in one round trip. */
const MAX_HTML = 14_600
const MAX_SCRIPTS = 70_000
const MAX_HEADING_FONT = 11_000
const MAX_BODY_FONT = 18_000

/** Every current browser gets the smallest representation. */
const sentBytes = ({ representations }: LoadedFile) => representations[0]?.body.length ?? 0

export function measureBytes(): void {
  const site = loadSite(BUILT)
  const variants = [...site.variants.values()].flat()
  const all = [
    ...site.byPath.values(),
    ...variants,
    ...[...site.ownPages.values()].flatMap(({ notFound, error }) => [notFound, error]),
  ]
  const files = new Map(all.map(file => [file.file, file]))
  const ofType = (type: string) => [...files.values()].filter(file => file.type.startsWith(type))
  const sum = (chosen: readonly LoadedFile[]) => chosen.reduce((total, file) => total + sentBytes(file), 0)
  const scripts = ofType('text/javascript')
  // Rarely used characters are in separate files, which our pages don't load.
  const fonts = ofType('font/').filter(({ file }) => !file.includes('-rest-'))
  const row = (name: string, bytes: number, limit: number) => [
    name,
    formatNumber(bytes),
    formatNumber(limit),
    verdict(bytes <= limit),
  ]
  printTable(
    ['File', 'Bytes', 'Limit', ''],
    [
      ...ofType('text/html').map(page => row(`HTML for ${page.path ?? page.file}`, sentBytes(page), MAX_HTML)),
      ...ofType('text/html')
        .filter(({ sendsLeads }) => sendsLeads)
        .map(page => {
          const own = scripts.filter(({ path }) => textOf(page).includes(path ?? ' '))
          return row(`JavaScript for ${page.path} (${own.length} files)`, sum(own), MAX_SCRIPTS)
        }),
      row('Heading font', sum(fonts.filter(isHeadingFont)), MAX_HEADING_FONT),
      row('Body font', sum(fonts.filter(font => !isHeadingFont(font))), MAX_BODY_FONT),
    ],
  )
}

const isHeadingFont = ({ file }: LoadedFile) => file.includes('fraunces')
const formatNumber = (bytes: number) => bytes.toLocaleString('en-US')
