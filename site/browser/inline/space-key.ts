/** Call-to-action links have the role of a button, so they answer to the space key as buttons do. */
addEventListener('keydown', event => {
  const target = event.target as HTMLElement
  if (event.key !== ' ' || !target.matches('a[role=button]')) return
  event.preventDefault()
  target.click()
})
