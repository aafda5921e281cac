/** A visitor who comes from another of our pages has its typefaces already: they are used from the first paint on. */
const typefaces = document.querySelector<HTMLStyleElement>('style[media]')
if (typefaces && document.referrer.startsWith(`${location.origin}/`)) typefaces.media = 'all'
