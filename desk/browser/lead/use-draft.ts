/** What was begun and not saved: it is still there when one comes back, or has to sign in again, until the page is closed. */
import { useState } from 'react'

const drafts = new Map<string, string>()

/** `key`: whose it is, and about what. */
export function useDraft(key: string): readonly [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(key) ?? '')
  const keep = (typed: string) => {
    if (typed === '') drafts.delete(key)
    else drafts.set(key, typed)
    setText(typed)
  }
  return [text, keep]
}
