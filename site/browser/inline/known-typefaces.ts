/** Visitors who come from another page on the site have the fonts cached, so use them from first paint. */
const typefaces = document.querySelector<HTMLStyleElement>('style[media]')
if (typefaces && document.referrer.startsWith(`${location.origin}/`)) typefaces.media = 'all'
