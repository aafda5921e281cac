/**
 * The static pages' icons, all lucide, one weight. They only accompany words, so they are hidden from screen readers.
 * What runs in the browser imports its icons one by one instead: this map would bring them all.
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
