/** One yes/no question. */

import { type ComponentProps, type Ref, useRef } from 'react'
import { fill } from '../../domain/text/fill.ts'
import type { PanelCopy, PanelTexts } from '../../site/copy/copy-of.ts'
import { Icon } from '../components/icon.tsx'
import { Reassurance } from '../components/reassurance.tsx'

interface QuestionProps {
  readonly copy: PanelCopy
  readonly questions: PanelTexts['questions']
  /** Question number, starting at 1. */
  readonly number: number
  /** The answer given just now, while the panel is locked, or before the visitor went back. */
  readonly answer: boolean | undefined
  readonly locked: boolean
  readonly hidden: boolean
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly onAnswer: (answer: boolean) => void
  readonly onBack: () => void
  readonly onStartOver: () => void
}

export function Question({ copy, questions, number, answer, locked, hidden, headingRef, ...on }: QuestionProps) {
  const place = useRef<HTMLDivElement>(null)
  // Before the pressed button is disabled, move focus to where the next question will appear. Chromium up to 150 drops a
  // disabled button's focus immediately, so an effect would run too late.
  const press = (pressed: boolean) => {
    place.current?.focus({ preventScroll: true })
    on.onAnswer(pressed)
  }
  const answers = { given: answer, locked, onAnswer: press }
  return (
    <div className={hidden ? 'invisible' : ''}>
      {/* Empty, so a screen reader doesn't read the old question again. */}
      <div ref={place} id="place" tabIndex={-1} />
      <div className="stack">
        {/* All questions are in one grid cell, hidden, so the longest sets the height and the buttons never move. Magnified, that
            would push the buttons off the screen. */}
        {questions.map(({ id, text }) => (
          <p
            key={id}
            aria-hidden="true"
            className="invisible magnified:hidden pt-8 font-heading text-question font-bold tracking-heading text-balance"
          >
            {text}
          </p>
        ))}
        <h3
          id="question"
          ref={headingRef}
          tabIndex={-1}
          key={number}
          className={`text-question ${number === 1 ? '' : 'motion-safe:animate-arrive'}`}
        >
          <span className="block magnified:sr-only min-h-8 font-body text-note font-normal tracking-normal text-ink-soft">
            {fill(copy.place, { number, total: questions.length })}
          </span>{' '}
          {questions[number - 1]?.text}
        </h3>
      </div>
      {/* Side by side, unless half the width is too little for a word. */}
      <div
        key={number}
        role="group"
        aria-labelledby="question"
        className="grid scroll-my-2 grid-cols-[repeat(auto-fit,minmax(min(96px,100%),1fr))] gap-3 pt-5 sm:gap-4"
      >
        <AnswerButton answer={true} text={copy.yes} {...answers} />
        <AnswerButton answer={false} text={copy.no} {...answers} />
      </div>
      <div className="flex min-h-14 flex-wrap items-end justify-between gap-x-6 text-note text-ink-soft">
        {number === 1 ? (
          copy.reassurance && <Reassurance text={copy.reassurance} />
        ) : (
          <>
            <QuietButton data-back text={copy.back} disabled={locked} onClick={on.onBack} />
            <QuietButton text={copy.startOver} disabled={locked} onClick={on.onStartOver} />
          </>
        )}
      </div>
    </div>
  )
}

interface QuietButtonProps extends ComponentProps<'button'> {
  readonly text: string
}

/** Back, and starting over, for example on a shared computer. */
export function QuietButton({ text, ...button }: QuietButtonProps) {
  return (
    <button
      type="button"
      {...button}
      className="min-h-12 text-left text-note text-ink-soft underline underline-offset-4 hover:text-ink"
    >
      {text}
    </button>
  )
}

interface AnswerButtonProps {
  readonly answer: boolean
  readonly text: string
  readonly given: boolean | undefined
  readonly locked: boolean
  readonly onAnswer: (answer: boolean) => void
}

/**
 * Yes and No look the same. `data-answer` and `data-pressed` are shared with site/browser/inline/before-react.ts, so the check
 * mark is always in the DOM and shown by CSS. Hovering doesn't change the fill, because a pointer that happens to rest on the
 * next question's button must not make it look selected.
 */
function AnswerButton({ answer, text, given, locked, onAnswer }: AnswerButtonProps) {
  return (
    <button
      type="button"
      data-answer={answer ? 'yes' : 'no'}
      data-pressed={given === answer ? '' : undefined}
      // After going back, the earlier answer is announced, too.
      aria-pressed={locked || given === undefined ? undefined : given === answer}
      disabled={locked}
      onClick={() => onAnswer(answer)}
      className="group flex items-center justify-center rounded-2xl border-3 border-action-dark bg-action text-question font-bold text-card underline-offset-6 enabled:hover:underline enabled:hover:raised disabled:not-data-pressed:border-edge disabled:not-data-pressed:bg-card disabled:not-data-pressed:text-ink-soft data-pressed:bg-action-dark"
    >
      {/* A negative margin offsets the icon's width, so the word stays centered. */}
      <Icon name="check" className="invisible mr-1.5 -ml-7.5 size-6 group-data-pressed:visible magnified:hidden" />
      {text}
    </button>
  )
}
