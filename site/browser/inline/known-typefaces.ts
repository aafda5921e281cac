/** A visitor who comes from another of our pages has its typefaces already: they are used from the first paint on. */
if (document.referrer.startsWith(`${location.origin}/`)) document.documentElement.dataset['fonts'] = 'all'
