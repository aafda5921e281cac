/** How old the figures are. Not a live region: a screen reader must not be told every second. */
import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { span } from '../times.ts'

export function Updated({ at, failed }: { readonly at: number; readonly failed: boolean }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const age = Math.max(0, now - at)
  return (
    <p className="flex items-center gap-1.5 text-small text-ink-soft">
      <RefreshCw aria-hidden size={14} />
      {age < 2000 ? 'Updated just now' : `Updated ${span(age)} ago`}
      {failed ? ' (the last try failed)' : ''}
    </p>
  )
}
