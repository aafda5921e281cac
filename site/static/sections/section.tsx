/** A full-width band with one heading. Bands alternate between paper and white. */
import type { ReactNode } from 'react'

interface SectionProps {
  readonly id: string
  readonly tone?: 'paper' | 'white' | 'amber'
  /** How the band is divided on a wide screen; on a phone, everything is in one column. */
  readonly columns?: string
  readonly children: ReactNode
}

const tones = { paper: '', white: 'bg-card', amber: 'bg-amber' } as const

export function Section({ id, tone = 'paper', columns = '', children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={`px-[20px] py-14 lg:py-20 print:py-5 ${tones[tone]}`}>
      <div className={`mx-auto grid max-w-6xl grid-cols-1 gap-x-16 gap-y-8 ${columns}`}>{children}</div>
    </section>
  )
}

export function SectionHeading({ id, children }: { id: string; children: ReactNode }) {
  return (
    <h2 id={id} className="text-heading lg:text-[2.625rem]">
      {children}
    </h2>
  )
}
