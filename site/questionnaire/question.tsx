/** One yes/no question. */
import { LockKeyhole } from 'lucide-react'
import type { Ref } from 'react'
import { questionnaire } from '../../content/questionnaire.ts'
import { type Question as QuestionData, questions } from '../../domain/questionnaire.ts'

interface QuestionProps {
  readonly question: QuestionData
  /** The answer given, while the panel is locked. */
  readonly given: boolean | null
  readonly hidden: boolean
  readonly headingLevel: 'h2' | 'h3'
  readonly headingRef: Ref<HTMLHeadingElement>
  readonly onAnswer: (answer: boolean) => void
  readonly onStartOver: () => void
}

export function Question({ question, given, hidden, headingLevel: Heading, headingRef, ...on }: QuestionProps) {
  return (
    <div role="group" aria-labelledby="question" className={hidden ? 'invisible' : ''}>
      <div className="stack">
        {/* Every question, unseen, in the same place: the longest gives the height, so that the buttons never move. */}
        {questions.map(({ id, text }) => (
          <p
            key={id}
            aria-hidden="true"
            className="invisible pt-8 text-title font-bold text-balance lg:text-[1.625rem]"
          >
            {text}
          </p>
        ))}
        <Heading
          id="question"
          ref={headingRef}
          tabIndex={-1}
          key={question.id}
          className={`text-title lg:text-[1.625rem] ${question.id === 1 ? '' : 'motion-safe:animate-arrive'}`}
        >
          <span className="block h-8 text-note font-normal tracking-normal text-ink-soft">
            {questionnaire.place(question.id, questions.length)}
          </span>{' '}
          {question.text}
        </Heading>
      </div>
      <div key={question.id} className="grid grid-cols-2 gap-3 pt-5 sm:gap-4">
        <AnswerButton answer={true} given={given} onAnswer={on.onAnswer} />
        <AnswerButton answer={false} given={given} onAnswer={on.onAnswer} />
      </div>
      <div className="flex min-h-14 items-end text-note text-ink-soft">
        {question.id === 1 ? (
          <p className="flex min-h-12 items-center gap-2">
            <LockKeyhole aria-hidden="true" className="size-5 shrink-0" />
            {questionnaire.reassurance}
          </p>
        ) : (
          <button
            type="button"
            disabled={given !== null}
            onClick={on.onStartOver}
            className="min-h-12 text-left underline underline-offset-4 hover:text-ink"
          >
            {questionnaire.startOver}
          </button>
        )}
      </div>
    </div>
  )
}

interface AnswerButtonProps {
  readonly answer: boolean
  readonly given: boolean | null
  readonly onAnswer: (answer: boolean) => void
}

/** Yes and No look alike. `data-answer` and `data-pressed` are shared with site/inline/before-react.ts. */
function AnswerButton({ answer, given, onAnswer }: AnswerButtonProps) {
  return (
    <button
      type="button"
      data-answer={answer ? 'yes' : 'no'}
      data-pressed={given === answer ? '' : undefined}
      disabled={given !== null}
      onClick={() => onAnswer(answer)}
      className="min-h-17 rounded-2xl border-2 border-action bg-mist text-lead font-bold text-action-dark enabled:hover:bg-sage disabled:opacity-60 data-pressed:bg-action data-pressed:text-card data-pressed:opacity-100"
    >
      {answer ? questionnaire.yes : questionnaire.no}
    </button>
  )
}
