/**
 * Opens the blocks for the visitor's own answers and hides the others. The answers come from the draft, which ends here. Only the
 * reasons stay, in this tab, until the draft would have expired. Nothing is sent. Without a draft, all blocks stay folded.
 */
const draftKey = 'questionnaire-draft'
const reasonsKey = 'decline-reasons'
const blocks = [...document.querySelectorAll<HTMLDetailsElement>('[data-reason]')]

try {
  const draft = JSON.parse(sessionStorage.getItem(draftKey) ?? '{}')
  // Declined, not just in the middle of the questions.
  if (draft.stage === 'loading') {
    const given: readonly string[] = draft.answers.map((answer: boolean, index: number) => `${index} ${answer}`)
    const reasons = given.filter(answer => blocks.some(block => block.dataset['reason'] === answer))
    sessionStorage.setItem(reasonsKey, JSON.stringify({ version: draft.version, expires: draft.expires, reasons }))
    sessionStorage.removeItem(draftKey)
  }
  const { version, expires, reasons } = JSON.parse(sessionStorage.getItem(reasonsKey) ?? '{}')
  if (version !== document.documentElement.dataset['draft'] || !(expires > Date.now())) {
    sessionStorage.removeItem(reasonsKey)
  } else if (reasons.length > 0) {
    for (const block of blocks) {
      block.open = reasons.includes(block.dataset['reason'])
      block.hidden = !block.open
    }
  }
} catch {
  // Storage is disabled, so there is no draft.
}
