/** The not-found page tells the console which path is unknown: the path alone, since a query may carry personal data. */
console.error(document.body.dataset['note'], location.pathname)
