/**
 * The lock after an answer, and the answer that was given before React was there: site/browser/inline/first-press.ts
 * leaves it in `window.earlyAnswer`.
 */
import { type RefObject, useEffect } from 'react'
import { delays } from '../../domain/delays.ts'

export interface EarlyAnswer {
  readonly answer: boolean
  /** When it was pressed, in milliseconds since the epoch: the lock counts from the press, not from React's arrival. */
  readonly at: number
}

declare global {
  interface Window {
    /** undefined: nothing pressed yet; null: React has taken over, and the inline script keeps out. */
    earlyAnswer?: EarlyAnswer | null
  }
}

/** From here on React answers to presses, and the inline script keeps out. */
export function takeEarlyAnswer(): EarlyAnswer | null {
  const early = window.earlyAnswer ?? null
  window.earlyAnswer = null
  for (const status of document.querySelectorAll('[data-still-loading]')) status.textContent = ''
  return early
}

/** Ends the lock 500 ms after the press that began it. */
export function useAnswerLock(locked: boolean, pressedAt: RefObject<number>, unlock: () => void): void {
  useEffect(() => {
    if (!locked) return
    const left = delays.answerLock - (Date.now() - pressedAt.current)
    // The press was so long before React that its lock is over.
    if (left <= 0) return unlock()
    const timer = setTimeout(unlock, Math.min(left, delays.answerLock))
    return () => clearTimeout(timer)
  }, [locked, pressedAt, unlock])
}
