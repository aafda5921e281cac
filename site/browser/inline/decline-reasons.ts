/**
 * Opens the blocks for the visitor's own answers and hides the others. The draft ends here; only the answers stay, in this tab, until
 * it would have expired. Nothing is sent. Without a draft, all blocks stay folded.
 */
const kept = tab.read()
// Declined, not just in the middle of the questions.
const declined = kept.stage === 'loading' ? kept.answers : kept.declined
if (declined) {
  tab.keep({ declined, expires: kept.expires })
  tab.isShown = true
  for (const block of document.querySelectorAll<HTMLDetailsElement>('[data-reason]')) {
    block.open = declined.some((answer, index) => block.dataset['reason'] === `${index} ${answer}`)
    block.hidden = !block.open
  }
}
