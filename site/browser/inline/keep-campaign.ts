/**
 * On the decline page, links back to the questions keep the campaign's parameters, so the lead of someone who tries again still
 * counts for it. The home pages are `/` and `/es/`.
 */
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/"][href$="/"]')) {
  link.setAttribute('href', link.pathname + location.search)
}
