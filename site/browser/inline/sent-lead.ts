/**
 * The thank-you page says more in the tab that sent a lead (site/browser/use-draft.ts). Opened directly, it says only what's true
 * for everyone.
 */
try {
  const { stage, expires, token } = JSON.parse(sessionStorage.getItem('questionnaire-draft') ?? '{}')
  if (stage === 'sent' && expires > Date.now()) {
    for (const part of document.querySelectorAll<HTMLElement>('[data-sent]')) part.hidden = !part.hidden
    const more = document.querySelector<HTMLElement>('[data-say-more]')
    // If the import fails, the page stays as it is.
    if (token && more) import(/* @vite-ignore */ `${more.dataset['script']}`).catch(() => {})
  }
} catch {
  // Storage is disabled, so the tab doesn't know.
}
