/** A visitor from another of our pages has the typefaces cached: use them from first paint. */
const typefaces = document.querySelector<HTMLStyleElement>('style[media]')
if (typefaces && document.referrer.startsWith(`${location.origin}/`)) typefaces.media = 'all'
