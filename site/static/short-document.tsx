/**
 * The document around error pages: under 2 KB, without scripts, fonts, header, and footer. Refusing a request must not cost more than
 * answering it, and nginx sends these pages while the server is down.
 */
import { colors } from '../../site-folder/site.ts'
import type { Page, PageProps } from './page.ts'

const { paper, card, ink, action } = colors
const css = `body{margin:0;background:${paper};color:${ink};font:1.25rem/1.5 system-ui,sans-serif;text-align:center;overflow-wrap:anywhere}
main{max-width:36rem;margin:auto;padding:3rem 20px}h1{font-size:2rem;line-height:1.2}
a{display:inline-block;padding:.75rem 1.5rem;border:2px solid ${action};border-radius:1rem;background:${card};color:${action};font-weight:700;text-decoration:none}`

export function ShortDocument({ page, ...props }: PageProps & { readonly page: Page }) {
  return (
    <html lang={page.copy.language}>
      <head>
        <meta charSet="utf-8" />
        <title>{page.title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own, allowed by its CSP hash */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        <main>{page.render(props)}</main>
      </body>
    </html>
  )
}
