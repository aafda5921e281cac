/**
 * What this tab keeps about a visitor, under one key, until half an hour after the last change: their draft (site/browser/use-draft.ts),
 * why they were declined, or that they sent a lead. It's on every page, so it's deleted on time wherever they are.
 */
const KEY = 'questionnaire-draft'
const LIFETIME_MS = 1_800_000
const version = document.documentElement.dataset['draft']
let timer: ReturnType<typeof setTimeout> | undefined
let storage: Storage | undefined
try {
  storage = sessionStorage
} catch {
  // Storage is disabled, so nothing is kept.
}

function read(): Kept {
  clearTimeout(timer)
  const kept = JSON.parse(storage?.getItem(KEY) ?? '{}')
  const left = kept.expires - Date.now()
  // For the same questions. If the clock was set back, it could be longer than half an hour.
  if (kept.version === version && left > 0 && left <= LIFETIME_MS) {
    timer = setTimeout(read, left)
    return kept
  }
  forget()
  if (tab.isShown) location.reload()
  return {}
}

function forget(): void {
  storage?.removeItem(KEY)
}

function keep(kept: Kept): void {
  try {
    storage?.setItem(KEY, JSON.stringify({ expires: Date.now() + LIFETIME_MS, ...kept, version }))
  } catch {
    // Storage is full.
  }
  read()
}

window.tab = { read, keep, forget }
// Timers stop while a device sleeps.
addEventListener('pageshow', read)
addEventListener('visibilitychange', read)
