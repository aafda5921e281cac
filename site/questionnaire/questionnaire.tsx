/** The questionnaire panel: the state machine of domain/questionnaire.ts, its clocks, and the view of each stage. */
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { questionnaire } from '../../content/questionnaire.ts'
import { delays } from '../../domain/delays.ts'
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
  readonly headingLevel: 'h2' | 'h3'
  /** What a sent lead shows until the thank-you page: the button's `Processing...`, or the loading view. */
  readonly afterSending: 'processing' | 'loading'
}

export function Questionnaire({ destination, headingLevel, afterSending }: QuestionnaireProps) {
  const [state, dispatch] = useReducer(advance, initialState)
  const [sent, setSent] = useState(false)
  const lockedSince = useRef(0)
  const heading = useRef<HTMLHeadingElement>(null)

  const question = currentQuestion(state)
  const contactComes = leadsToContact(state)
  const ContactForm = useContactForm(state.answers.length > 0, contactComes)

  const answer = useCallback((given: boolean, at = Date.now()) => {
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
    const left = delays.answerLock - (Date.now() - lockedSince.current)
    const timer = setTimeout(() => dispatch({ type: 'lock expired' }), Math.min(Math.max(left, 0), delays.answerLock))
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

  // The new question, or the form's heading, is read out; the first one must not take focus from where the visitor is.
  const place = state.stage === 'questions' ? question.id : state.stage
  const lastPlace = useRef<typeof place | null>(null)
  useEffect(() => {
    if (lastPlace.current !== null && lastPlace.current !== place) heading.current?.focus()
    lastPlace.current = place
  }, [place])

  const onSent = () => {
    discardDraft()
    setSent(true)
    if (afterSending === 'loading') dispatch({ type: 'lead sent' })
  }

  const startOver = () => {
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
              headingLevel={headingLevel}
              headingRef={asking ? null : heading}
              onSent={onSent}
            />
          </div>
        )}
        {state.stage === 'loading' && <Loading text={questionnaire.loading} />}
        {state.stage === 'contact' && !ContactForm && <Loading text={questionnaire.preparingForm} />}
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
