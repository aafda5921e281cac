/** The desk's pages. The server answers with them, the menu and its keys are made of them, and each has a component in `browser/app.tsx`. */
import { type DeskRole, roleAllows } from '../domain/roles.ts'
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
  /** Agents who call from the desk can open it, but don't need it: it isn't in their menu. */
  readonly notForCalling?: true
}

/** In the menu's order. */
export const menuPages = {
  '/calls': { title: 'Calls', icon: 'phone', key: 'c', ofCallList: true },
  '/today': { title: 'Today', icon: 'sun', key: 't' },
  '/leads': { title: 'Leads', icon: 'people', key: 'l' },
  '/campaigns': { title: 'Campaigns', icon: 'chart', notForCalling: true },
  '/health': { title: 'Health', icon: 'health', key: 'h', notForCalling: true },
  '/setup': { title: 'Setup', icon: 'setup', role: 'editor' },
  '/people': { title: 'People', icon: 'account', role: 'editor' },
  '/first-day': { title: 'Help', icon: 'help', ofCallList: true },
} as const satisfies Readonly<Record<string, MenuPage>>

/** Opened from other pages. */
export const linkedPages = [
  '/',
  '/invitation',
  '/calls/add',
  '/leads/do-not-call',
  '/leads/:id',
  '/check-record',
  '/you',
] as const

/** Agents who call from the desk, who have nothing to do with the CRM. */
export const onlyCalls = ({ role, callList }: { readonly role: DeskRole; readonly callList: boolean }): boolean =>
  callList && role === 'agent'

/** What someone finds in the menu, with its keys. */
export const menuOf = ({ role, callList }: { readonly role: DeskRole; readonly callList: boolean }) =>
  Object.entries<MenuPage>(menuPages)
    .filter(([, page]) => roleAllows(role, page.role ?? 'viewer'))
    .filter(([, page]) => (callList ? !onlyCalls({ role, callList }) || !page.notForCalling : !page.ofCallList))
    .map(([href, page]) => ({ href, ...page }))

export type DeskPath = keyof typeof menuPages | (typeof linkedPages)[number]
