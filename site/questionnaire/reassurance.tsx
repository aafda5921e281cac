import { LockKeyhole } from 'lucide-react'
import { questionnaire } from '../../content/questionnaire.ts'

export function Reassurance() {
  return (
    <p className="flex min-h-12 items-center gap-2 text-note text-ink-soft">
      <LockKeyhole aria-hidden="true" className="size-5 shrink-0" />
      {questionnaire.reassurance}
    </p>
  )
}
