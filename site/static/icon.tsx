/**
 * The static pages' icons, all lucide, one weight. They are decorative, so screen readers skip them. Browser code imports
 * icons one by one instead: this map would bundle them all.
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
  Star,
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
  star: Star,
  toll: HeartHandshake,
  work: BriefcaseBusiness,
} as const satisfies Record<string, LucideIcon>

export type IconName = keyof typeof icons

export function Icon({ name, className = 'size-6' }: { name: IconName; className?: string }) {
  const Drawing = icons[name]
  return <Drawing aria-hidden="true" focusable="false" className={`shrink-0 ${className}`} strokeWidth={2} />
}
