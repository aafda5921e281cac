/**
 * Runs from the first paint on. React is not needed to read the page, so it is fetched early but started only when the
 * visitor turns to the panel: until then the phone is free to scroll. A press on Yes or No shows at once as pressed and
 * locked, and is kept for React to take over while the lock lasts (site/browser/use-answer-lock.ts). If React is late, or
 * cannot be loaded, the visitor is told so instead of waiting at locked buttons.
 */
const root = document.documentElement
const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector)
const islands = '[data-questionnaire]'
let started = false

async function startReact(): Promise<void> {
  if (started) return
  started = true
  const script = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')?.href ?? ''
  for (const attempt of [0, 1, 2]) {
    try {
      // Browsers remember a failed import by its address. The build serves every script at further ones.
      return await import(/* @vite-ignore */ attempt ? script.replace('/assets/', `/assets/${attempt}/`) : script)
    } catch {
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  }
  offerPlainForm()
}

function offerPlainForm(): void {
  delete root.dataset['resume']
  for (const notice of all('[data-script-missing]')) notice.hidden = false
  for (const island of all(islands)) {
    if (island.contains(document.activeElement)) island.parentElement?.focus()
    island.hidden = true
  }
  for (const form of all('main noscript')) form.outerHTML = form.textContent
}

/**
 * Once what has just happened is painted: React keeps a slow phone busy for a fifth of a second, and between a finger's
 * touch and its lift the press would have to wait for it.
 */
const startReactAfterPaint = () => requestAnimationFrame(() => setTimeout(startReact))

// No event of the pointer: those come when the finger touches, the mouse's when it has been lifted.
for (const type of ['mouseover', 'focusin', 'click']) {
  // What happens to the document itself has no element.
  addEventListener(type, ({ target }) => (target as Element).closest?.(islands) && startReactAfterPaint(), true)
}

addEventListener(
  'click',
  ({ target }) => {
    const pressed = (target as Element).closest<HTMLButtonElement>('[data-answer]')
    if (!pressed || window.earlyAnswer !== undefined) return
    window.earlyAnswer = { answer: pressed.dataset['answer'] === 'yes', at: Date.now() }
    pressed.dataset['pressed'] = ''
    // Before the button is disabled, which would drop its focus.
    all('#place')[0]?.focus({ preventScroll: true })
    for (const button of all('[data-answer]')) (button as HTMLButtonElement).disabled = true
    setTimeout(() => {
      for (const status of all('[data-still-loading]')) {
        if (window.earlyAnswer) status.textContent = status.dataset['stillLoading'] ?? ''
      }
    }, 4000)
  },
  true,
)

// A draft (site/browser/use-draft.ts) goes on without a press. Until React shows where it was, the panel keeps its room.
try {
  const key = 'questionnaire-draft'
  const draft = JSON.parse(sessionStorage.getItem(key) ?? '{}')
  if (draft.version === root.dataset['draft'] && draft.expires > Date.now()) {
    root.dataset['resume'] = draft.height ? 'contact' : ''
    if (draft.width === innerWidth) root.style.setProperty('--resumed-height', `${draft.height}px`)
    addEventListener('DOMContentLoaded', startReact)
  } else sessionStorage.removeItem(key)
} catch {
  // Storage is switched off: there is no draft.
}
