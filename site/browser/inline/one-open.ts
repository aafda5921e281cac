/** Of the questions that people ask, one is open at a time: the browser sees to it, and where it cannot yet, this does. */
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
