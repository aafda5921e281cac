/** What can have happened, each with its key. */
import type { CallLanguage } from '../../../../domain/calling/list.ts'
import { type CallOutcomeName, callOutcomes, OTHER_LANGUAGE } from '../../../../domain/calling/outcomes.ts'
import { languageName } from '../../../../domain/languages.ts'
import { Choice } from './choice.tsx'

interface OutcomeChoicesProps {
  /** A language that callers speak, but not this agent. */
  readonly unspoken: CallLanguage | undefined
  readonly possible: readonly CallOutcomeName[]
  readonly chosen: CallOutcomeName | null
  readonly onChoose: (outcome: CallOutcomeName) => void
}

export function OutcomeChoices({ unspoken, possible, chosen, onChoose }: OutcomeChoicesProps) {
  return (
    <fieldset>
      <legend className="sr-only">What happened?</legend>
      <div className="grid gap-1 @min-[30rem]:grid-cols-2">
        {possible.map(outcome => (
          <Choice
            key={outcome}
            name="outcome"
            value={outcome}
            label={callOutcomes[outcome].label}
            detail={
              outcome === OTHER_LANGUAGE && unspoken
                ? `For someone who speaks ${languageName(unspoken)}`
                : whatEnds(outcome)
            }
            shortcut={callOutcomes[outcome].key}
            checked={chosen === outcome}
            onChoose={() => onChoose(outcome)}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** What ends calling, or goes on the do-not-call list, so nobody chooses it by mistake. */
function whatEnds(outcome: CallOutcomeName): string {
  const { stops, follows } = callOutcomes[outcome]
  return follows === 'end' ? ends[stops ?? 'nothing'] : ''
}

const ends = {
  nothing: 'No more calls',
  'if nobody is there': 'May go on the do-not-call list',
  'who asked': 'Goes on the do-not-call list',
} as const
