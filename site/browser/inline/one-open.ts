/** Keeps only one FAQ answer open, in browsers that don't support `name` on `<details>`. */
if (!('name' in HTMLDetailsElement.prototype)) {
  addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target as HTMLDetailsElement).open) return
      for (const other of document.querySelectorAll('details')) other.open = other === target
    },
    true,
  )
}
