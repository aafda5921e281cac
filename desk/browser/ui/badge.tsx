/** A state in a word, with a sign of its own besides its colour. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export type Tone = 'good' | 'waiting' | 'bad' | 'calm'

const tones: Readonly<Record<Tone, string>> = {
  good: 'border-transparent bg-sage text-action-strong',
  waiting: 'border-amber-edge bg-amber text-amber-ink',
  bad: 'border-error bg-error-soft text-error',
  calm: 'border-line bg-card text-ink-soft',
}

export function Badge({
  tone,
  icon: Icon,
  title,
  children,
}: {
  readonly tone: Tone
  readonly icon: LucideIcon
  readonly title?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <span
      title={title}
      className={`inline-flex items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 py-0.5 text-small font-bold ${tones[tone]}`}
    >
      <Icon aria-hidden size={14} strokeWidth={2.5} className="shrink-0" />
      {children}
    </span>
  )
}
