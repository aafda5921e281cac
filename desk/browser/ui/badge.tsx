/** A status as text and an icon, so color isn't the only cue. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'good' | 'waiting' | 'bad' | 'calm'

const tones: Readonly<Record<Tone, string>> = {
  good: 'border-transparent bg-sage text-action-strong',
  waiting: 'border-amber-edge bg-amber text-amber-ink',
  bad: 'border-error bg-error-soft text-error',
  calm: 'border-line bg-card text-ink-soft',
}

export function Badge({
  tone,
  icon,
  title,
  children,
}: {
  readonly tone: Tone
  readonly icon: IconName
  readonly title?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <span
      title={title}
      className={`inline-flex items-center gap-1.5 whitespace-nowrap rounded-full border px-2.5 py-0.5 text-small font-bold ${tones[tone]}`}
    >
      <Icon name={icon} size={14} strokeWidth={2.5} />
      {children}
    </span>
  )
}
