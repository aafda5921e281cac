/**
 * What the visitor has entered so far, kept in this tab only: a phone that drops the page in the background, or a
 * reload, loses nothing. It is gone when the tab is closed, and it is removed once the visitor is through.
 */
import { useEffect } from 'react'

const KEY = 'questionnaire-draft'

interface Draft {
  readonly answers: readonly boolean[]
  readonly contact: Readonly<Record<string, string>>
}

const empty: Draft = { answers: [], contact: {} }

export function readDraft(): Draft {
  try {
    const { answers, contact } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Draft>
    return {
      answers: Array.isArray(answers) ? answers.filter(answer => typeof answer === 'boolean') : empty.answers,
      contact: contact !== null && typeof contact === 'object' ? contact : empty.contact,
    }
  } catch {
    // Storage can be switched off, full or tampered with: then there is no draft, and everything else still works.
    return empty
  }
}

export function saveDraft(change: Partial<Draft>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...readDraft(), ...change }))
  } catch {
    // See readDraft.
  }
}

export function discardDraft(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // See readDraft.
  }
}

/** Keeps the answers as they are given. */
export function useDraft(answers: readonly boolean[]): void {
  useEffect(() => {
    if (answers.length > 0) saveDraft({ answers })
  }, [answers])
}
