/**
 * The thank-you page says more in the tab that sent a lead (inline/tab.ts). Opened directly, it says only what's true for everyone.
 */
const { stage, token } = tab.read()
if (stage === 'sent') {
  tab.isShown = true
  for (const part of document.querySelectorAll<HTMLElement>('[data-sent]')) part.hidden = !part.hidden
  const more = document.querySelector<HTMLElement>('[data-say-more]')
  // If the import fails, the page stays as it is.
  if (token && more) import(/* @vite-ignore */ `${more.dataset['script']}`).catch(() => {})
}
