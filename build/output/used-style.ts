/** Leaves out of a page's style the rules that are for other pages: their class is in neither the page nor its scripts. */
import { transform } from 'lightningcss'

const STYLE = /<style>(.*?)<\/style>/s
const CLASS = /\.((?:\\.|[\w-])+)/g

export function withUsedStyle(html: string, scripts: string): string {
  const style = STYLE.exec(html)?.[1] ?? ''
  const words = new Set(`${html.replace(style, '')} ${scripts}`.split(/[\s"'`<>]+/))
  const classes = [...style.matchAll(CLASS)].map(([, name = '']) => name.replaceAll('\\', ''))
  const { code } = transform({
    filename: 'page.css',
    code: Buffer.from(style),
    minify: true,
    unusedSymbols: [...new Set(classes)].filter(name => !words.has(name)),
  })
  return html.replace(style, () => code.toString())
}
