/**
 * Text that someone typed but hasn't saved. It survives a reload and a new sign-in, but not closing the tab or signing out:
 * it's about a lead, and others may use this computer.
 */
import { useCallback, useSyncExternalStore } from 'react'

const PREFIX = 'draft '
/** Used if storage is blocked or full. */
const unstored = new Map<string, string>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function readDraft(key: string): string {
  try {
    return unstored.get(key) ?? sessionStorage.getItem(PREFIX + key) ?? ''
  } catch {
    return ''
  }
}

export function saveDraft(key: string, next: string | ((typed: string) => string)): void {
  const text = typeof next === 'string' ? next : next(readDraft(key))
  unstored.delete(key)
  try {
    if (text === '') sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, text)
  } catch {
    unstored.set(key, text)
  }
  for (const listener of listeners) listener()
}

export function deleteDrafts(): void {
  unstored.clear()
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Storage is blocked.
  }
}

/** `key`: the person and what the text is about. Like `useState`, but the value is a string. */
export function useDraft(key: string) {
  const text = useSyncExternalStore(subscribe, () => readDraft(key))
  const setText = useCallback((next: Parameters<typeof saveDraft>[1]) => saveDraft(key, next), [key])
  return [text, setText] as const
}
