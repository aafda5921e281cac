/**
 * Locks the buttons after an answer. Picks up an answer given before React was ready, which inline/before-react.ts saves in
 * `window.earlyAnswer`.
 */
import { type RefObject, useEffect } from 'react'
import { delays } from '../../domain/visits/delays.ts'

export interface EarlyAnswer {
  readonly answer: boolean
  /** The time of the click, in milliseconds since the epoch. The lock starts at the click, not when React starts. */
  readonly at: number
}

declare global {
  interface Window {
    /** undefined: nothing pressed yet; null: React has taken over. */
    earlyAnswer?: EarlyAnswer | null
  }
}

/** From now on, React handles clicks, and the inline script does nothing. */
export function takeEarlyAnswer(): EarlyAnswer | null {
  const early = window.earlyAnswer ?? null
  window.earlyAnswer = null
  for (const status of document.querySelectorAll('[data-still-loading]')) status.textContent = ''
  return early
}

/** Ends the lock 500 ms after the click. */
export function useAnswerLock(locked: boolean, pressedAt: RefObject<number>, unlock: () => void): void {
  useEffect(() => {
    if (!locked) return
    const remaining = delays.answerLock - (Date.now() - pressedAt.current)
    // The lock ended before React started.
    if (remaining <= 0) return unlock()
    const timer = setTimeout(unlock, Math.min(remaining, delays.answerLock))
    return () => clearTimeout(timer)
  }, [locked, pressedAt, unlock])
}
