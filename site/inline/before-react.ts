/**
 * Runs from the first paint on. React is not needed to read the page, so it is fetched early but started only when the
 * visitor turns to the panel: until then the phone is free to scroll. A press on Yes or No shows at once as pressed and
 * locked, and is kept for React to take over while the lock lasts (site/questionnaire/early-answer.ts). If React cannot
 * be had, the visitor is told so instead of waiting at locked buttons.
 */
const panel = '[data-questionnaire]'
let asked = false

function bringReact(): void {
  if (asked) return
  asked = true
  const script = document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')?.href
  import(/* @vite-ignore */ script ?? '').catch(() => {
    for (const notice of document.querySelectorAll<HTMLElement>('[data-script-missing]')) notice.hidden = false
  })
}

for (const sign of ['pointerover', 'pointerdown', 'focusin', 'click']) {
  addEventListener(sign, ({ target }) => target instanceof Element && target.closest(panel) && bringReact(), true)
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

// A visitor who comes back to a draft (site/questionnaire/draft.ts) sees where it was without a press.
addEventListener('DOMContentLoaded', () => {
  try {
    if (sessionStorage.getItem('questionnaire-draft')) bringReact()
  } catch {
    // Storage is switched off: there is no draft.
  }
})
