/** A person to call: her picture, when she can be reached, and the number as a button. */

import { CallLink } from '../call-link.tsx'
import type { SiteAssets } from '../page.ts'
import { Picture } from './picture.tsx'

export interface CallCardWords {
  readonly heading: string
  readonly text: string
  readonly label: string
  readonly hours: string | null
}

interface CallCardProps {
  readonly words: CallCardWords
  readonly assets: SiteAssets
  readonly level: 'h2' | 'h3'
  readonly className?: string
}

export function CallCard({
  words: { heading, text, label, hours },
  assets,
  level: Heading,
  className = '',
}: CallCardProps) {
  return (
    <div className={`rounded-3xl bg-mist p-6 text-center ${className}`}>
      <Picture of="advocate" assets={assets} alt="" className="mx-auto max-w-56" />
      {/* The card is the desk that she sits at. */}
      <div className="rounded-2xl bg-card p-5">
        <Heading className="text-title">{heading}</Heading>
        <p className="pt-2 pb-4">{text}</p>
        <CallLink label={label} className="w-full" />
        {hours && <p className="pt-3 text-note">{hours}</p>}
      </div>
    </div>
  )
}
