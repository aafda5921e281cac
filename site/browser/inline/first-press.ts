/**
 * Runs from the first paint on. React is not needed to read the page, so it is fetched early but started only when the
 * visitor turns to the panel: until then the phone is free to scroll. A press on Yes or No shows at once as pressed and
 * locked, and is kept for React to take over while the lock lasts (site/browser/use-answer-lock.ts). If React cannot
 * be loaded, the visitor is told so instead of waiting at locked buttons.
 */
const panel = '[data-questionnaire]'
let started = false

function startReact(): void {
  if (started) return
  started = true
  const script = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')?.href
  import(/* @vite-ignore */ script ?? '').catch(() => {
    for (const notice of document.querySelectorAll<HTMLElement>('[data-script-missing]')) notice.hidden = false
  })
}

for (const type of ['pointerover', 'pointerdown', 'focusin', 'click']) {
  addEventListener(type, ({ target }) => target instanceof Element && target.closest(panel) && startReact(), true)
}

addEventListener(
  'click',
  ({ target }) => {
    const pressed = (target as Element).closest<HTMLButtonElement>('[data-answer]')
    if (!pressed || window.earlyAnswer !== undefined) return
    window.earlyAnswer = { answer: pressed.dataset['answer'] === 'yes', at: Date.now() }
    pressed.dataset['pressed'] = ''
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-answer]')) button.disabled = true
  },
  true,
)

// A visitor who comes back to a draft (site/browser/use-draft.ts) sees where it was without a press.
addEventListener('DOMContentLoaded', () => {
  try {
    if (sessionStorage.getItem('questionnaire-draft')) startReact()
  } catch {
    // Storage is switched off: there is no draft.
  }
})
