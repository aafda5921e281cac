/**
 * Saves what the visitor has entered in this tab, so nothing is lost if the page is reloaded or discarded in the background.
 * Because computers are shared, the draft omits the date of birth, expires after 30 minutes, and is deleted when the visitor
 * finishes or starts over. Of a lead that was sent, it keeps that it was, so that nobody who comes back wonders, and for the
 * thank-you page, the phone number and a token for corrections.
 * site/browser/inline/before-react.ts reads it before first paint, and sent-lead.ts on the thank-you page.
 */
import { useEffect } from 'react'
import type { ContactField } from '../../domain/contact-fields.ts'
import { delays } from '../../domain/delays.ts'
import type { QuestionnaireState, Stage } from '../../domain/questionnaire.ts'

const KEY = 'questionnaire-draft'

interface Draft {
  /** `contact` if the contact form is open, so a resumed page can make room for it. */
  readonly stage?: Stage | 'sent'
  readonly answers: readonly boolean[]
  /** The question on screen, for the same page in another language. */
  readonly position?: number
  readonly contact: Readonly<Partial<Record<ContactField, string>>>
  readonly token?: string | undefined
  readonly phone?: string
}

const empty: Draft = { answers: [], contact: {} }
let expiry: ReturnType<typeof setTimeout> | undefined

/** Changes with the questions, so a draft's answers never apply to different questions. */
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
    // Storage may be disabled, full, or tampered with. Everything works without a draft.
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
  } catch {
    // See readDraft.
  }
}

/** For the thank-you page. */
export interface SentLead {
  readonly token: string | undefined
  readonly phone: string
}

export function markSent(lead: SentLead): void {
  discardDraft()
  saveDraft({ stage: 'sent', ...lead })
}

/** Deletes the draft when it expires, even if the page stays open. */
function expireAt(time: number): void {
  clearTimeout(expiry)
  expiry = setTimeout(discardDraft, time - Date.now())
}

/** Saves answers as they're given. Resumed answers are already saved, and saving them again would extend the draft's lifetime. */
export function useDraft({ answers, position, stage }: QuestionnaireState, sent: boolean): void {
  useEffect(() => {
    if (sent) return
    const saved = readDraft()
    if (answers.length > 0 && `${[answers, position, stage]}` !== `${[saved.answers, saved.position, saved.stage]}`)
      saveDraft({ answers, position, stage })
  }, [answers, position, stage, sent])
}
