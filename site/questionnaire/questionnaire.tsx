/** The questionnaire panel: the state machine of domain/questionnaire.ts, its clocks, and the view of each stage. */
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { questionnaire } from '../../content/questionnaire.ts'
import { delays } from '../../domain/delays.ts'
import type { TrustedFormMode } from '../../domain/lead.ts'
import { advance, currentQuestion, initialState, leadsToContact, progressOf } from '../../domain/questionnaire.ts'
import { discardDraft, readDraft, saveDraft } from './draft.ts'
import { takeEarlyAnswer } from './early-answer.ts'
import { Loading } from './loading.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { Question } from './question.tsx'
import type { LeadDestination } from './send-lead.ts'
import { useContactForm } from './use-contact-form.ts'

export interface QuestionnaireProps {
  readonly destination: LeadDestination
  readonly trustedForm: TrustedFormMode
  readonly headingLevel: 'h2' | 'h3'
  /** What a sent lead shows until the thank-you page: the button's `Processing...`, or the loading view. */
  readonly afterSending: 'processing' | 'loading'
}

export function Questionnaire({ destination, trustedForm, headingLevel, afterSending }: QuestionnaireProps) {
  const [state, dispatch] = useReducer(advance, initialState)
  const [sent, setSent] = useState(false)
  const lockedSince = useRef(0)
  const pressed = useRef(false)
  const heading = useRef<HTMLHeadingElement>(null)

  const question = currentQuestion(state)
  const contactComes = leadsToContact(state)
  const ContactForm = useContactForm(state.answers.length > 0, contactComes)

  const answer = useCallback((given: boolean, at = Date.now()) => {
    pressed.current = true
    lockedSince.current = at
    dispatch({ type: 'answered', answer: given })
  }, [])

  // Before the first frame that React owns: a press that came earlier counts, else a draft goes on where it was.
  useLayoutEffect(() => {
    const early = takeEarlyAnswer()
    const draft = readDraft()
    if (early) answer(early.answer, early.at)
    else if (draft.answers.length > 0) dispatch({ type: 'resumed', answers: draft.answers })
  }, [answer])

  useEffect(() => {
    if (!state.locked) return
    const unlock = () => dispatch({ type: 'lock expired' })
    const left = delays.answerLock - (Date.now() - lockedSince.current)
    // The press was so long before React that its lock is over.
    if (left <= 0) return unlock()
    const timer = setTimeout(unlock, Math.min(left, delays.answerLock))
    return () => clearTimeout(timer)
  }, [state.locked])

  useEffect(() => {
    if (state.answers.length > 0) saveDraft({ answers: state.answers })
  }, [state.answers])

  const declined = state.stage === 'loading' && !contactComes
  useEffect(() => (declined ? leaveFor('/decline', delays.declineRedirect) : undefined), [declined])
  useEffect(() => (sent ? leaveFor('/thank-you', delays.thankYouRedirect) : undefined), [sent])

  // Back from the next page to a frozen copy of this one: start afresh instead of waiting for a redirect that is over.
  const finished = declined || sent
  useEffect(() => {
    if (!finished) return
    const restart = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', restart)
    return () => removeEventListener('pageshow', restart)
  }, [finished])

  // What a press leads to is read out: the new question, or the form's heading. Without a press, as when a draft goes
  // on, focus stays where the visitor is.
  const preparing = state.stage === 'contact' && !ContactForm
  const place = state.stage === 'questions' ? question.id : preparing ? 'preparing' : state.stage
  const lastPlace = useRef(place)
  useEffect(() => {
    if (pressed.current && lastPlace.current !== place) heading.current?.focus()
    lastPlace.current = place
  }, [place])

  const onSent = () => {
    discardDraft()
    setSent(true)
    if (afterSending === 'loading') dispatch({ type: 'lead sent' })
  }

  const startOver = () => {
    pressed.current = true
    discardDraft()
    dispatch({ type: 'started over' })
  }

  const asking = state.stage === 'questions' || declined
  return (
    <>
      <ProgressBar {...progressOf(state)} />
      <div className="stack">
        {asking && (
          <Question
            question={question}
            given={state.locked ? (state.answers.at(-1) ?? null) : null}
            hidden={declined}
            headingLevel={headingLevel}
            headingRef={heading}
            onAnswer={answer}
            onStartOver={startOver}
          />
        )}
        {/* The press that leads to the form makes room for it at once, so that nothing moves when it appears. */}
        {contactComes && ContactForm && (
          <div className={state.stage === 'contact' ? 'motion-safe:animate-arrive' : 'invisible'}>
            <ContactForm
              destination={destination}
              trustedForm={trustedForm}
              headingLevel={headingLevel}
              headingRef={asking ? null : heading}
              onSent={onSent}
            />
          </div>
        )}
        {state.stage === 'loading' && <Loading text={questionnaire.loading} />}
        {preparing && <Loading text={questionnaire.preparingForm} takesFocus={pressed.current} />}
      </div>
    </>
  )
}

function leaveFor(path: string, delay: number): () => void {
  const timer = setTimeout(() => {
    discardDraft()
    location.assign(path)
  }, delay)
  return () => clearTimeout(timer)
}
