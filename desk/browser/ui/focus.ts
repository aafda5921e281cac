/** Keeps focus nearby when the focused element is about to disappear, so it doesn't drop to the top of the page. */
export function focusNearby(element: Element | null | undefined): void {
  const target = element instanceof HTMLElement && element.isConnected ? element : null
  ;(target ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: target === null })
}
