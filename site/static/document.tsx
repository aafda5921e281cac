/** The HTML document around every page. */
import { organization } from '../../content/organization.ts'
import afterFirstPaint from '../browser/inline/after-first-paint.ts?inline-script'
import knownTypefaces from '../browser/inline/known-typefaces.ts?inline-script'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import type { Page, PageProps } from './page.ts'

export interface DocumentProps extends PageProps {
  readonly page: Page
  /** Null when SITE_URL is not set: pages then contain no address. */
  readonly siteUrl: string | null
  readonly css: string
  readonly typefaces: string
  /** Paths of the scripts for the questionnaire, its contact form, and the typefaces of a first page. */
  readonly scripts: Readonly<Record<'questionnaire' | 'contactForm' | 'typefaces', string>>
}

export function Document({ page, siteUrl, css, typefaces, scripts, ...props }: DocumentProps) {
  const { assets } = props
  const { copy } = page
  const absolute = (path: string | null) => (path === null || siteUrl === null ? null : new URL(path, siteUrl).href)
  const canonical = absolute(page.path)
  return (
    // A draft (site/browser/use-draft.ts) is valid only for these questions.
    <html lang={copy.language} data-draft={page.hasQuestionnaire ? props.destination.questionnaireVersion : undefined}>
      <head>
        <meta charSet="utf-8" />
        {/* Don't paint a frame with only the header: on a phone it costs more than it shows. */}
        <link rel="expect" href="#main" blocking="render" />
        <title>{page.title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={page.description} />
        <meta name="theme-color" content="#fbf7f0" />
        {/* We link phone numbers ourselves; iOS would link dates and amounts too. */}
        <meta name="format-detection" content="telephone=no" />
        {!page.indexed && <meta name="robots" content="noindex" />}
        <Inline tag="style" text={css} />
        {/* On a first page, only without JavaScript: site/browser/inline/after-first-paint.ts. */}
        <style
          media="(scripting:none)"
          data-script={scripts.typefaces}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build, allowed by its hash
          dangerouslySetInnerHTML={{ __html: typefaces }}
        />
        {/* Fetched by after-first-paint.ts, and started by first-press.ts, both in site/browser/inline. */}
        {page.hasQuestionnaire && (
          <link
            rel="modulepreload"
            href={scripts.questionnaire}
            fetchPriority="low"
            media="not all"
            // In the same folder as the script that imports it (site/browser/use-contact-form.ts).
            data-contact-form={scripts.contactForm.split('/').at(-1)}
          />
        )}
        {/* Hides the panel that needs JavaScript, in browsers without the `scripting` media query. */}
        {page.hasQuestionnaire && (
          <noscript>
            <Inline tag="style" text="[data-questionnaire]{display:none}" />
          </noscript>
        )}
        {canonical !== null && page.indexed && <link rel="canonical" href={canonical} />}
        <link rel="icon" href={assets.mark} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={assets.touchIcon} />
        <link rel="manifest" href="/site.webmanifest" />
        {canonical !== null && (
          <>
            <meta property="og:type" content="website" />
            <meta property="og:site_name" content={organization.name} />
            <meta property="og:title" content={page.title} />
            <meta property="og:description" content={page.description} />
            <meta property="og:url" content={canonical} />
            <meta property="og:image" content={absolute(assets.socialPreview) ?? ''} />
            <meta property="og:image:width" content="1200" />
            <meta property="og:image:height" content="630" />
            <meta name="twitter:card" content="summary_large_image" />
          </>
        )}
        <Inline tag="script" text={[knownTypefaces, ...page.headScripts].join('')} />
      </head>
      <body data-note={page.note}>
        <Header copy={copy.header} markSrc={assets.mark} />
        <main id="main" tabIndex={-1}>
          {page.render(props)}
        </main>
        <Footer
          copy={copy.footer}
          links={copy.footerLinks}
          {...(page.footerNote === undefined ? {} : { note: page.footerNote })}
        />
        <Inline tag="script" text={[...page.bodyScripts, afterFirstPaint].join('')} />
        {page.structuredData.map(data => (
          <script
            key={JSON.stringify(data)}
            type="application/ld+json"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: our own content, with "<" escaped
            dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', '\\u003c') }}
          />
        ))}
      </body>
    </html>
  )
}

function Inline({ tag: Tag, text }: { tag: 'style' | 'script'; text: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the build, allowed by its hash
  return <Tag dangerouslySetInnerHTML={{ __html: text }} />
}
