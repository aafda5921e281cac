/**
 * One history entry per question, so the browser's Back button shows the previous question instead of leaving the site.
 * The entries hold only positions, never answers.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { QuestionnaireState } from '../../domain/visits/questionnaire.ts'

interface Entry {
  readonly position: number
  /** How many of our entries come before this one. */
  readonly depth: number
}

/** If the browser can't go back that far, leave anyway. */
const REWIND_TIMEOUT_MS = 1000

const currentEntry = (): Entry | null => (history.state?.depth === undefined ? null : history.state)

let leaving = false

/** Where a reload or a return from another page continues. */
export const savedPosition = (): number | undefined => currentEntry()?.position

/** Goes to our first entry, which drops the others as soon as the visitor moves on. */
export function rewind(): boolean {
  const depth = currentEntry()?.depth ?? 0
  if (depth > 0) history.go(-depth)
  return depth > 0
}

/** Leaves for another page. Its Back button then leads to the first question, not through all of them. */
export function leaveFor(path: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const leave = () => {
    // Otherwise, it would go on when the visitor comes back to a cached copy of this page, and send them away again.
    clearTimeout(timer)
    // Visitors who come back are told that we have their information, which isn't where the form's button was.
    if (tab.read().stage === 'sent') history.scrollRestoration = 'manual'
    location.assign(path)
  }
  leaving = true
  addEventListener('popstate', leave, { once: true })
  if (rewind()) timer = setTimeout(leave, REWIND_TIMEOUT_MS)
  else leave()
}

/** Returns a function that shows the previous question. While `busy`, Back comes right back: the answer may need the form. */
export function useQuestionHistory(
  { position, locked }: QuestionnaireState,
  busy: RefObject<boolean>,
  moveTo: (position: number) => void,
): () => void {
  const latest = useRef({ position, depth: 0, goingBack: false })
  latest.current.position = position

  const wasLocked = useRef(locked)
  // A layout effect, so Back works from the moment the question appears.
  useLayoutEffect(() => {
    const entry = currentEntry()
    const depth = entry?.depth ?? 0
    // Only an answer adds an entry. A resumed draft doesn't.
    if (wasLocked.current && entry && position > entry.position) history.pushState({ position, depth: depth + 1 }, '')
    else if (position !== entry?.position) history.replaceState({ position, depth }, '')
    latest.current.depth = currentEntry()?.depth ?? 0
    wasLocked.current = locked
  }, [position, locked])

  const step = () => {
    if (latest.current.depth > 0) history.back()
    else moveTo(latest.current.position - 1)
  }

  useEffect(() => {
    const move = () => {
      if (leaving) return
      const now = latest.current
      // A link to the form added an entry: stay at the same question.
      if (!currentEntry()) history.replaceState({ position: now.position, depth: now.depth + 1 }, '')
      const entry = currentEntry() as Entry
      if (busy.current && entry.depth < now.depth) {
        now.goingBack = false
        return history.go(now.depth - entry.depth)
      }
      now.depth = entry.depth
      if (now.goingBack && entry.position === now.position) return step()
      now.goingBack = false
      moveTo(entry.position)
    }
    addEventListener('popstate', move)
    return () => removeEventListener('popstate', move)
  })

  return () => {
    latest.current.goingBack = true
    step()
  }
}
