/**
 * Icons for static pages, all from lucide in one weight. They're decorative, so screen readers skip them. Browser code has its
 * own (site/components/icon.tsx), because importing this map would bundle all of them.
 */
import {
  BadgeCheck,
  BriefcaseBusiness,
  CalendarClock,
  Check,
  ChevronDown,
  Clock,
  FileText,
  HandCoins,
  HeartHandshake,
  HeartPulse,
  LockKeyhole,
  type LucideIcon,
  Phone,
  Receipt,
  ShieldCheck,
  Stethoscope,
  TriangleAlert,
  Wallet,
} from 'lucide-react'

const icons = {
  age: CalendarClock,
  badge: BadgeCheck,
  bills: Receipt,
  caution: TriangleAlert,
  check: Check,
  condition: HeartPulse,
  confidential: LockKeyhole,
  expand: ChevronDown,
  income: Wallet,
  medicaid: HeartHandshake,
  medicare: Stethoscope,
  'no-fees': HandCoins,
  phone: Phone,
  process: FileText,
  quick: Clock,
  secure: ShieldCheck,
  toll: HeartHandshake,
  work: BriefcaseBusiness,
} as const satisfies Record<string, LucideIcon>

export type IconName = keyof typeof icons

export function Icon({ name, className = 'size-6' }: { name: IconName; className?: string }) {
  const Drawing = icons[name]
  return <Drawing aria-hidden="true" focusable="false" className={`shrink-0 ${className}`} strokeWidth={2} />
}

const STAR = 'l3 6.5 7 .8-5.2 4.8 1.4 7-6.2-3.5-6.2 3.5 1.4-7-5.2-4.8 7-.8z'

/** Five stars as one image with one label. */
export function Stars({ label }: { label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 124 22"
      className="h-5 w-28 max-w-full fill-amber-edge in-[footer]:fill-amber"
    >
      <path d={[12, 37, 62, 87, 112].map(center => `M${center} 1${STAR}`).join('')} />
    </svg>
  )
}
