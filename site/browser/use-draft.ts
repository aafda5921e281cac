/**
 * Keeps what the visitor has entered in this tab (inline/tab.ts), so nothing is lost if the page is reloaded or discarded in the
 * background. Because computers are shared, the draft omits the date of birth, expires, and is deleted when the visitor finishes or
 * starts over. Of a lead that was sent, it keeps that it was, so that nobody who comes back wonders, and for the thank-you page, the
 * phone number and a token for corrections.
 */
import { useEffect } from 'react'
import type { ContactField } from '../../domain/contact/contact-fields.ts'
import type { QuestionnaireState, Stage } from '../../domain/visits/questionnaire.ts'

interface Draft {
  /** `contact` if the contact form is open, so a resumed page can make room for it. */
  readonly stage?: Stage | 'sent'
  readonly answers: readonly boolean[]
  /** The question on screen, for the same page in another language. */
  readonly position?: number
  readonly contact: Readonly<Partial<Record<ContactField, string>>>
}

/** For the thank-you page. */
export interface SentLead {
  readonly token: string | undefined
  readonly phone: string
}

declare global {
  interface Kept extends Partial<Draft>, Partial<SentLead> {
    /** For the decline page: the answers. */
    readonly declined?: readonly boolean[]
    /** On the thank-you page: when the call is to begin. */
    readonly from?: number | undefined
    readonly expires?: number | undefined
  }

  var tab: {
    /** Empty if nothing is kept, or no longer. */
    readonly read: () => Kept
    /** In place of what was kept. With `expires`, not for longer. */
    readonly keep: (kept: Kept) => void
    readonly forget: () => void
    /** The page shows some of it, so it's reloaded when that has expired. */
    isShown?: boolean
  }
}

export const readDraft = (): Draft => ({ answers: [], contact: {}, ...tab.read() })

export function saveDraft(change: Partial<Draft>): void {
  const { stage, answers, position, contact } = { ...readDraft(), ...change }
  tab.keep({ stage, answers, position, contact } as Kept)
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
