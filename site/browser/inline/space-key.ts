/** Call-to-action links have role="button", so the space key must activate them. */
addEventListener('keydown', event => {
  const target = event.target as HTMLElement
  if (event.key !== ' ' || !target.matches('a[role=button]')) return
  event.preventDefault()
  target.click()
})
