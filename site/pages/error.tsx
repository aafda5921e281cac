import { applicationError } from '../../content/errors.ts'
import { Problem } from './problem.tsx'

export function ErrorPage() {
  return <Problem {...applicationError} />
}
