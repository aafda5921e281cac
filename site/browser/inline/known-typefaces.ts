/** Visitors who come from another page on the site have the fonts cached, so use them from first paint. */
if (document.referrer.startsWith(`${origin}/`)) document.querySelector('style[media]')?.setAttribute('media', 'all')
