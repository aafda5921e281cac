import { submissionError } from '../../content/plain-form.ts'
import { Problem } from './problem.tsx'

export function SubmissionErrorPage() {
  return <Problem {...submissionError} />
}
