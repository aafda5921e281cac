/** Keeps focus nearby when the focused element is about to disappear, so it doesn't drop to the top of the page. */
export function focusNearby(element: Element | null | undefined): void {
  const target = element instanceof HTMLElement && element.isConnected ? element : null
  ;(target ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: target === null })
}

/**
 * Catches what focusNearby isn't called for: a button that disappears when it's pressed, such as “Show all,” or a whole page that
 * the sign-in page replaces. Focus moves to the section around it, or to the page's heading.
 */
export function watchForLostFocus(): void {
  /** The focused element and what it's in. Empty if a click moved the focus. */
  let path: readonly Element[] = []
  addEventListener('focusin', ({ target }) => {
    path = pathOf(target as Element)
  })
  addEventListener('pointerdown', () => {
    path = []
  })
  new MutationObserver(() => {
    const [focused] = path
    if (!focused || focused.isConnected || document.activeElement !== document.body) return
    // Dialogs return the focus themselves.
    if (path.some(element => element.matches('dialog'))) return
    const around = path.find(element => element.isConnected && element.matches('section, form'))
    if (around instanceof HTMLElement) around.tabIndex = -1
    focusNearby(around)
  }).observe(document.documentElement, { childList: true, subtree: true })
}

function pathOf(element: Element): readonly Element[] {
  const path: Element[] = []
  for (let each: Element | null = element; each; each = each.parentElement) path.push(each)
  return path
}
