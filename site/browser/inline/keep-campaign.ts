/**
 * Links to other languages and back to the questions keep the campaign's parameters, so the lead of someone who switches or tries
 * again still counts for it. The home pages are `/` and `/es/`.
 */
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[hreflang],a[href^="/"][href$="/"]')) {
  link.search = location.search
}
