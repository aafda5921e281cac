/**
 * Runs from the first paint until React arrives: a press on Yes or No shows at once as pressed and locked, and is kept
 * for React to take over (site/questionnaire/early-answer.ts). If the script never arrives, the visitor is told so
 * instead of waiting at locked buttons.
 */
const answerButtons = () => document.querySelectorAll<HTMLButtonElement>('[data-answer]')

addEventListener(
  'click',
  ({ target }) => {
    const pressed = (target as Element).closest<HTMLButtonElement>('[data-answer]')
    if (!pressed || window.earlyAnswer !== undefined) return
    window.earlyAnswer = { answer: pressed.dataset['answer'] === 'yes', at: Date.now() }
    pressed.dataset['pressed'] = ''
    for (const button of answerButtons()) button.disabled = true
  },
  true,
)

addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return
    for (const notice of document.querySelectorAll<HTMLElement>('[data-script-missing]')) notice.hidden = false
  },
  true,
)
