/** The questionnaire: the state machine from domain/visits/questionnaire.ts, its timers, and a view for each stage. */

import { type ReactNode, type RefObject, useCallback, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { pathInLanguage } from '../../domain/languages.ts'
import { fill } from '../../domain/text/fill.ts'
import { delays } from '../../domain/visits/delays.ts'
import {
  advance,
  atContactForm,
  currentNumber,
  hasQualified,
  initialState,
  type Progress,
  progressOf,
  type QuestionnaireEvent,
  type QuestionnaireState,
} from '../../domain/visits/questionnaire.ts'
import type { PanelCopy, PanelTexts } from '../../site/copy/copy-of.ts'
import { ButtonLink } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { ContactForm, type ContactFormProps } from './contact-form.tsx'
import { Question, QuietButton } from './question.tsx'
import { takeEarlyAnswer, useAnswerLock } from './use-answer-lock.ts'
import { useDelayedRedirect } from './use-delayed-redirect.ts'
import { readDraft, type SentLead, useDraft } from './use-draft.ts'
import { useProgressReport } from './use-progress-report.ts'
import { rewind, savedPosition, useQuestionHistory } from './use-question-history.ts'

export interface QuestionnaireProps
  extends Pick<ContactFormProps, 'language' | 'destination' | 'trustedForm' | 'consent'> {
  readonly copy: PanelCopy
  /** Not in the script's copy, like the consent: the plain form has the same words, so in the page they cost next to nothing. */
  readonly texts: PanelTexts
  /** What to show between sending the lead and the thank-you page: `Processing...` on the button, or the loading view. */
  readonly afterSending: 'processing' | 'loading'
}

export function Questionnaire({ copy, texts, afterSending, ...form }: QuestionnaireProps) {
  const { language, destination } = form
  const { questions } = texts
  const [state, dispatch] = useReducer(
    (before: QuestionnaireState, event: QuestionnaireEvent) => advance(questions, before, event),
    initialState,
  )
  const [sent, setSent] = useState(false)
  /** Before this page was loaded, in the same tab. */
  const [sentBefore, setSentBefore] = useState(false)
  /** While the lead is on its way, and afterward. */
  const busy = useRef(false)
  const pressed = useRef(false)
  const pressedAt = useRef(0)
  const heading = useRef<HTMLHeadingElement>(null)

  const answer = useCallback((given: boolean, at = Date.now()) => {
    pressed.current = true
    pressedAt.current = at
    dispatch({ type: 'answered', answer: given })
  }, [])
  const unlock = useCallback(() => dispatch({ type: 'lock expired' }), [])

  // Before React's first frame: resume a draft, or apply an early click.
  useLayoutEffect(() => {
    const early = takeEarlyAnswer()
    const draft = readDraft()
    if (draft.stage === 'sent') setSentBefore(true)
    else if (draft.answers.length > 0)
      dispatch({ type: 'resumed', answers: draft.answers, position: savedPosition() ?? draft.position })
    else {
      // Entries from a draft that expired would lead nowhere.
      rewind()
      if (early) answer(early.answer, early.at)
    }
    delete document.documentElement.dataset['resume']
  }, [answer])

  const qualified = hasQualified(questions, state)
  const formOpen = atContactForm(questions, state)
  const declined = state.stage === 'loading' && !qualified
  useAnswerLock(state.locked, pressedAt, unlock)
  useDraft(state, sent)
  // The decline page ends the draft, too, but in Firefox, a cached copy of this page doesn't see that.
  useDelayedRedirect(pathInLanguage(language, '/decline'), delays.declineRedirect, declined, forget)
  useDelayedRedirect(pathInLanguage(language, '/thank-you'), delays.thankYouRedirect, sent)

  const number = currentNumber(questions, state)
  useProgressReport(destination, state.stage === 'questions' ? number : questions.length + 1)
  useFocusAfterPress(heading, pressed, state.stage === 'questions' ? number : state.stage)

  const back = useQuestionHistory(state, busy, to => {
    pressed.current = true
    dispatch({ type: 'moved', to })
  })

  const onSent = (lead: SentLead) => {
    pressed.current = true
    tab.keep({ stage: 'sent', ...lead })
    setSent(true)
    if (afterSending === 'loading') dispatch({ type: 'lead sent' })
  }

  const startOver = () => {
    pressed.current = true
    forget()
    setSentBefore(false)
    rewind()
    dispatch({ type: 'started over' })
  }

  if (sentBefore) {
    return <SentBefore copy={copy} language={language} onStartOver={startOver} />
  }
  const asking = state.stage === 'questions' || declined
  return (
    <>
      <ProgressBar copy={copy} {...progressOf(questions, state)} />
      {/* The hero collapses when the contact form opens (site/styles.css). */}
      <div className="stack" data-contact={formOpen || sent ? '' : undefined}>
        {asking && (
          <Question
            copy={copy}
            questions={questions}
            number={number}
            answer={state.answers[state.position]}
            locked={state.locked}
            hidden={declined}
            headingRef={heading}
            onAnswer={answer}
            onBack={back}
            onStartOver={startOver}
          />
        )}
        {/* Mounted hidden right after the last answer, so nothing moves when it appears. If the visitor goes back, it keeps
            what they typed. */}
        {qualified && (
          <div className={state.stage === 'contact' ? 'motion-safe:animate-arrive' : formOpen ? 'invisible' : 'hidden'}>
            <ContactForm
              {...form}
              headingRef={asking ? null : heading}
              busy={busy}
              open={state.stage === 'contact'}
              onSent={onSent}
              onBack={back}
              onClear={startOver}
            />
          </div>
        )}
        {state.stage === 'loading' && (
          <Loading text={copy.loading} takesFocus={pressed.current}>
            {!sent && <QuietButton text={copy.wrongAnswer} onClick={back} />}
          </Loading>
        )}
      </div>
    </>
  )
}

const forget = () => tab.forget()

interface SentBeforeProps extends Pick<QuestionnaireProps, 'copy' | 'language'> {
  readonly onStartOver: () => void
}

/** For a visitor who comes back after sending. */
function SentBefore({ copy, language, onStartOver }: SentBeforeProps) {
  const view = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    view.current?.scrollIntoView({ block: 'center', behavior: 'instant' })
  }, [])
  return (
    <div ref={view} data-contact className="grid justify-items-start gap-3">
      <h3 className="text-question">{copy.sent.heading}</h3>
      <p>{copy.sent.text}</p>
      <ButtonLink href={pathInLanguage(language, '/thank-you')}>{copy.sent.link}</ButtonLink>
      <QuietButton text={copy.startOver} onClick={onStartOver} />
    </div>
  )
}

/**
 * After a click, moves focus to the new question or the form's heading, so it's announced. Otherwise, as with a resumed
 * draft, leaves focus alone.
 */
function useFocusAfterPress(
  heading: RefObject<HTMLElement | null>,
  pressed: RefObject<boolean>,
  place: string | number,
): void {
  const lastPlace = useRef(place)
  // A layout effect, so focus is never on the body.
  useLayoutEffect(() => {
    if (pressed.current && lastPlace.current !== place) {
      // With magnified text, the answers below the question's heading, too. If there isn't room for both, the question.
      heading.current?.parentElement?.nextElementSibling?.scrollIntoView({ block: 'nearest' })
      heading.current?.focus()
    }
    lastPlace.current = place
  }, [heading, pressed, place])
}

function ProgressBar({ copy, step, total, percent }: Progress & { copy: PanelCopy }) {
  return (
    <div className="pb-4">
      <div aria-hidden="true" className="flex flex-wrap justify-between gap-x-3 pb-1.5 text-note">
        <span>{copy.progressStart}</span>
        {/* Keyed, so a new number replaces the element. The minimum width fits both fonts. */}
        <span key={percent} className="min-w-[6.5em]">
          {percent === 100 && `${copy.lastStep} · `}
          {fill(copy.percentComplete, { percent })}
        </span>
      </div>
      <progress max={total} value={step} aria-label={fill(copy.progressLabel, { step, total })} />
    </div>
  )
}

/** The loading view. After a click, it takes focus, so it's announced and visible. */
function Loading({ text, takesFocus, children }: { text: string; takesFocus: boolean; children: ReactNode }) {
  const view = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) view.current?.focus()
  }, [takesFocus])
  return (
    <div className="grid min-h-48 grid-cols-1 place-content-center justify-items-center gap-3 pt-6 text-center">
      <p
        ref={view}
        tabIndex={-1}
        role="status"
        className="grid grid-cols-1 justify-items-center gap-5 text-lead font-bold"
      >
        <Icon name="spinner" className="size-12 text-action motion-safe:animate-spin" />
        {text}
      </p>
      {children}
    </div>
  )
}
