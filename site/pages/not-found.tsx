import { notFound } from '../../content/errors.ts'
import { Problem } from './problem.tsx'

export function NotFoundPage() {
  return <Problem {...notFound} />
}
