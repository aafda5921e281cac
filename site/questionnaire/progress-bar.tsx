import { questionnaire } from '../../content/questionnaire.ts'
import type { Progress } from '../../domain/questionnaire.ts'

export function ProgressBar({ step, total, percent }: Progress) {
  return (
    <div className="pb-5">
      <div aria-hidden="true" className="flex justify-between pb-1.5 text-note">
        <span>{questionnaire.progressStart}</span>
        <span className="stack">
          {/* As wide as it will ever be, so that the text does not creep as the number changes. */}
          <span className="invisible">{questionnaire.percentComplete(100)}</span>
          <span>{questionnaire.percentComplete(percent)}</span>
        </span>
      </div>
      <progress max={total} value={step} aria-label={questionnaire.progressLabel(step, total)} />
    </div>
  )
}
