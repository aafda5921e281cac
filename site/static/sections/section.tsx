/** A full-width band with one idea and one heading. Bands alternate between paper and white. */
import type { ReactNode } from 'react'

interface SectionProps {
  readonly id: string
  readonly heading: ReactNode
  readonly tone?: 'paper' | 'white' | 'amber'
  readonly children: ReactNode
}

const tones = { paper: '', white: 'bg-card', amber: 'bg-amber' } as const

export function Section({ id, heading, tone = 'paper', children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={`below-the-fold px-5 py-14 lg:py-20 ${tones[tone]}`}>
      <div className="mx-auto max-w-6xl">
        <h2 id={id} className="text-heading lg:text-[2.5rem]">
          {heading}
        </h2>
        {children}
      </div>
    </section>
  )
}
