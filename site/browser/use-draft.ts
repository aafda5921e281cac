/**
 * What the visitor has entered so far, kept in this tab only: a phone that drops the page in the background, or a
 * reload, loses nothing. On a shared computer little is left behind: no date of birth, nothing after 30 minutes, nothing
 * once the visitor is through or has started over. site/browser/inline/first-press.ts reads it before the first paint.
 */
import { useEffect } from 'react'
import type { ContactField } from '../../domain/contact-fields.ts'
import { delays } from '../../domain/delays.ts'

const KEY = 'questionnaire-draft'
/** That a missing contact form has been tried with a fresh page (site/browser/use-contact-form.ts). */
export const RELOADED_KEY = 'reloaded-for-contact-form'

interface Draft {
  readonly answers: readonly boolean[]
  readonly contact: Readonly<Partial<Record<ContactField, string>>>
  /** How high the contact form was at which width of the window, so that a page that goes on with it keeps the room. */
  readonly height?: number
  readonly width?: number
}

const empty: Draft = { answers: [], contact: {} }
let expiry: ReturnType<typeof setTimeout> | undefined

/** Changes with the questions: a draft must not answer others than it was given for. */
const version = () => document.documentElement.dataset['draft']

export function readDraft(): Draft {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    if (draft.version !== version() || !(draft.expires > Date.now())) return empty
    expireAt(draft.expires)
    const answers = Array.isArray(draft.answers)
      ? draft.answers.filter((each: unknown) => typeof each === 'boolean')
      : []
    return { ...draft, answers, contact: { ...draft.contact } }
  } catch {
    // Storage can be switched off, full or tampered with: then there is no draft, and everything else still works.
    return empty
  }
}

export function saveDraft(change: Partial<Draft>): void {
  try {
    const draft = { ...readDraft(), ...change }
    const expires = Date.now() + delays.draftLifetime
    sessionStorage.setItem(KEY, JSON.stringify({ ...draft, version: version(), expires }))
    expireAt(expires)
  } catch {
    // See readDraft.
  }
}

export function discardDraft(): void {
  clearTimeout(expiry)
  try {
    sessionStorage.removeItem(KEY)
    sessionStorage.removeItem(RELOADED_KEY)
  } catch {
    // See readDraft.
  }
}

/** A page that stays open forgets it in time, too. */
function expireAt(time: number): void {
  clearTimeout(expiry)
  expiry = setTimeout(discardDraft, time - Date.now())
}

/** Keeps the answers as they are given. Those that the page went on with are there already. */
export function useDraft(answers: readonly boolean[]): void {
  useEffect(() => {
    if (answers.length > readDraft().answers.length) saveDraft({ answers })
  }, [answers])
}
