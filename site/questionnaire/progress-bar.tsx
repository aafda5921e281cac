import { questionnaire } from '../../content/questionnaire.ts'
import type { Progress } from '../../domain/questionnaire.ts'

export function ProgressBar({ step, total, percent }: Progress) {
  return (
    <div className="pb-5">
      <div aria-hidden="true" className="flex justify-between pb-1.5 text-note">
        <span>{questionnaire.progressStart}</span>
        {/* Keyed: a new number is a new text, not one that creeps sideways. */}
        <span key={percent}>{questionnaire.percentComplete(percent)}</span>
      </div>
      <progress max={total} value={step} aria-label={questionnaire.progressLabel(step, total)} />
    </div>
  )
}
