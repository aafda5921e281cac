/** The icons of domain/lead-actions.ts. */
import { Ban, Check, Eraser, type LucideIcon, NotebookPen, Phone, PhoneOff, Send } from 'lucide-react'
import type { leadActions } from '../../../domain/lead-actions.ts'

type Name = (typeof leadActions)[keyof typeof leadActions]['icon']

export const actionIcons: Readonly<Record<Name, LucideIcon>> = {
  approve: Check,
  reject: Ban,
  send: Send,
  'no calls': PhoneOff,
  calls: Phone,
  erase: Eraser,
  note: NotebookPen,
}

export function ActionIcon({ name, size = 18 }: { readonly name: Name; readonly size?: number }) {
  const Icon = actionIcons[name]
  return <Icon aria-hidden size={size} />
}
