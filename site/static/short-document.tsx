/**
 * The document around error pages: under 2 KB, without scripts, fonts, and pictures, and with a plain header and footer. Refusing a request
 * must not cost more than answering it, and nginx sends these pages while the server is down.
 */
import { telHref } from '../../domain/contact/phone.ts'
import { pathInLanguage } from '../../domain/languages.ts'
import { colors, organization } from '../../site-folder/site.ts'
import type { Page, PageProps } from './page.ts'

const { paper, card, ink, action } = colors
const css = `body{margin:0;background:${paper};color:${ink};font:1.25rem/1.5 system-ui,sans-serif;text-align:center;overflow-wrap:anywhere}
header,main,footer{max-width:36rem;margin:auto;padding:1rem 20px}main{padding-block:2rem}h1{font-size:2rem;line-height:1.2}header{display:flex;justify-content:space-between}footer{font-size:1rem}
a{display:inline-block;padding:.5rem .75rem;color:${action}}header,main a{font-weight:700}
main a{padding:.75rem 1.5rem;border:2px solid;border-radius:1rem;background:${card};text-decoration:none}`

export function ShortDocument({ page, ...props }: PageProps & { readonly page: Page }) {
  const { language, footer, footerLinks } = page.copy
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <title>{page.title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own, allowed by its CSP hash */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        <header>
          <a href={pathInLanguage(language, '/')}>{organization.name}</a>{' '}
          <a href={telHref(organization.phone)}>{organization.phone}</a>
        </header>
        <main>{page.render(props)}</main>
        <footer>
          {footer.affiliation} {footer.notLegalAdvice}
          <nav aria-label={footer.linksLabel}>
            {footerLinks.map(({ text, href }) => (
              <a key={text} {...(href === null ? {} : { href })}>{`${text} `}</a>
            ))}
          </nav>
        </footer>
      </body>
    </html>
  )
}
