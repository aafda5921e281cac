/** The 404 page logs the unknown path to the console, without the query string, which may contain personal data. */
console.error(document.body.dataset['note'], location.pathname)
