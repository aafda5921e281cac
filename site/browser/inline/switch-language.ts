/** Links to the page in other languages keep the campaign and everything else in the query. */
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[hreflang]')) link.search = location.search
