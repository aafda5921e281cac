/**
 * Handles the panel until React takes over. React is fetched early but starts only when the visitor interacts with the panel,
 * so the page scrolls smoothly. A click on Yes or No is shown immediately and saved for React, which picks it up during the lock
 * (site/browser/use-answer-lock.ts). If React is late or fails to load, the visitor sees a message instead of locked buttons.
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
      // Browsers cache a failed import by URL (whatwg/html#6768), so each retry needs a new one.
      return await import(/* @vite-ignore */ attempt ? `${script}?${attempt}` : script)
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
  // Don't ask the first question again.
  const answer = all('[data-pressed]')[0]?.dataset['answer']
  for (const choice of all(`[name=question-1][value=${answer}]`)) choice.setAttribute('checked', '')
}

/**
 * Starts React after the click is painted. Starting it keeps a slow phone busy for 200 ms; on touch-down, that would delay
 * the click.
 */
const startReactAfterPaint = () => requestAnimationFrame(() => setTimeout(startReact))

// Not pointer events, which fire on touch-down. Mouse events fire when the finger is lifted.
for (const type of ['mouseover', 'focusin', 'click']) {
  // For events on the document itself, the target isn't an element.
  addEventListener(type, ({ target }) => (target as Element).closest?.(islands) && startReactAfterPaint(), true)
}

addEventListener(
  'click',
  ({ target }) => {
    const pressed = (target as Element).closest<HTMLButtonElement>('[data-answer]')
    if (!pressed || window.earlyAnswer !== undefined) return
    window.earlyAnswer = { answer: pressed.dataset['answer'] === 'yes', at: Date.now() }
    pressed.dataset['pressed'] = ''
    // Move focus first: disabling the button would drop it.
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

// A draft (site/browser/use-draft.ts) resumes without a click.
const { stage } = tab.read()
if (stage) {
  root.dataset['resume'] = stage
  addEventListener('DOMContentLoaded', startReact)
}
