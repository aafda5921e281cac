/** The commands by name. Each is loaded when it is asked for, so that a quick one does not wait for the others. */

import { nearest } from '../server/spelling.ts'
import type { Command } from './command.ts'
import { Misuse } from './failure.ts'

export type Commands = Readonly<Record<string, () => Promise<Command>>>

export const commands: Commands = {
  list: async () => (await import('./commands/reports/list.ts')).list,
  show: async () => (await import('./commands/reports/show.ts')).show,
  export: async () => (await import('./commands/reports/export.ts')).exportLeads,
  funnel: async () => (await import('./commands/reports/funnel.ts')).funnel,
  consent: async () => (await import('./commands/reports/consent.ts')).consent,
  verify: async () => (await import('./commands/reports/verify.ts')).verify,
  redeliver: async () => (await import('./commands/decisions/redeliver.ts')).redeliver,
  release: async () => (await import('./commands/decisions/release.ts')).release,
  reject: async () => (await import('./commands/decisions/reject.ts')).reject,
  pause: async () => (await import('./commands/decisions/pause.ts')).pause,
  resume: async () => (await import('./commands/decisions/resume.ts')).resume,
  erase: async () => (await import('./commands/decisions/erase.ts')).erase,
  suppress: async () => (await import('./commands/decisions/suppress.ts')).suppress,
  invite: async () => (await import('./commands/desk/invite.ts')).invite,
  people: async () => (await import('./commands/desk/people.ts')).people,
  'sign-out': async () => (await import('./commands/desk/sign-out.ts')).signOut,
  dismiss: async () => (await import('./commands/desk/sign-out.ts')).dismiss,
  backup: async () => (await import('./commands/store/backup.ts')).backup,
  restore: async () => (await import('./commands/store/restore.ts')).restore,
  move: async () => (await import('./commands/store/move.ts')).move,
  'test-webhook': async () => (await import('./commands/checks/test-webhook.ts')).testWebhook,
  'test-alert': async () => (await import('./commands/checks/test-alert.ts')).testAlert,
  doctor: async () => (await import('./commands/checks/doctor.ts')).doctor,
}

export async function commandCalled(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load) return load()
  if (name.startsWith('-')) throw new Misuse('The command comes first, then its options. See npm run leads -- help')
  const near = nearest(name, Object.keys(commands))
  throw new Misuse(`There is no such command.${near ? ` Did you mean ${near}?` : ''} See npm run leads -- help`)
}
