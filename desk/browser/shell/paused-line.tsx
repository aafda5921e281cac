/** Above every view while deliveries are paused: each of them else speaks of leads as if they were on their way. */
import { CirclePause } from 'lucide-react'
import { Link } from 'wouter'
import { usePaused } from '../pulse.ts'

export function PausedLine() {
  const paused = usePaused()
  return (
    // It is there before its words are: only then they are read out, and once for all views.
    <div role="status" aria-live="polite" className="print:hidden">
      {paused ? (
        <div className="border-b border-amber-edge bg-amber text-amber-ink">
          <p className="mx-auto flex max-w-7xl items-start gap-2.5 px-3 py-2 sm:px-6">
            <CirclePause aria-hidden size={18} className="mt-1 shrink-0" />
            <span>
              <strong>Deliveries are paused:</strong> leads wait, and are sent when somebody resumes.{' '}
              <Link href="/health" className="inline-block font-bold underline underline-offset-4">
                See Health
              </Link>
            </span>
          </p>
        </div>
      ) : null}
    </div>
  )
}
