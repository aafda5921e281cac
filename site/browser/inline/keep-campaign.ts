/**
 * Links home and to the page in other languages keep the campaign and everything else in the query, so the lead of someone who comes
 * back to the questions still counts for it. The home pages are `/` and `/es/`.
 */
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[hreflang],a[href^="/"][href$="/"]'))
  link.href = link.pathname + location.search
