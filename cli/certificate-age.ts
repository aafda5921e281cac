/** What the operator should know of a TrustedForm certificate: it is gone 90 days after the lead unless it was retained. */
import { counted, DAY } from './words.ts'

const LIFE_DAYS = 90
const WARN_FROM_DAYS = 75

export interface CertificateAge {
  readonly words: string
  readonly warning: boolean
}

export function certificateAge(receivedAt: number, now: number): CertificateAge {
  const days = Math.floor((now - receivedAt) / DAY)
  const old = `${counted(days, 'day')} old`
  if (days < WARN_FROM_DAYS) return { words: old, warning: false }
  const words =
    days < LIFE_DAYS
      ? `${old}: it expires in ${counted(LIFE_DAYS - days, 'day')} unless it is retained`
      : `${old}: it has expired unless it was retained`
  return { words, warning: true }
}
