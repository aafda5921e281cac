/** The desk's pages. The server answers with them, the menu and its keys are made of them, and each has a component in `browser/app.tsx`. */
import type { DeskRole } from '../domain/roles.ts'
import type { IconName } from './browser/ui/icon.tsx'

export interface MenuPage {
  readonly title: string
  readonly icon: IconName
  /** Opens it from anywhere. */
  readonly key?: string
  /** Who sees it in the menu; everyone unless told. */
  readonly role?: DeskRole
  /** Only while the team calls from the desk. */
  readonly ofCallList?: true
}

/** In the menu's order. */
export const menuPages = {
  '/calls': { title: 'Calls', icon: 'phone', key: 'c', ofCallList: true },
  '/today': { title: 'Today', icon: 'sun', key: 't' },
  '/leads': { title: 'Leads', icon: 'people', key: 'l' },
  '/campaigns': { title: 'Campaigns', icon: 'chart' },
  '/health': { title: 'Health', icon: 'health', key: 'h' },
  '/setup': { title: 'Setup', icon: 'setup', role: 'editor' },
  '/people': { title: 'People', icon: 'account', role: 'editor' },
  '/first-day': { title: 'Help', icon: 'help', ofCallList: true },
} as const satisfies Readonly<Record<string, MenuPage>>

/** Opened from other pages. */
export const linkedPages = ['/', '/invitation', '/calls/add', '/leads/do-not-call', '/leads/:id', '/you'] as const

export type DeskPath = keyof typeof menuPages | (typeof linkedPages)[number]
