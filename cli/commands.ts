/** The commands by name. Each is loaded when it is asked for, so that a quick one does not wait for the others. */

import { nearest } from '../server/spelling.ts'
import type { Command } from './command.ts'
import { Misuse } from './failure.ts'

export type Commands = Readonly<Record<string, () => Promise<Command>>>

export const commands: Commands = {
  list: async () => (await import('./commands/list.ts')).list,
  show: async () => (await import('./commands/show.ts')).show,
  export: async () => (await import('./commands/export.ts')).exportLeads,
  redeliver: async () => (await import('./commands/redeliver.ts')).redeliver,
  release: async () => (await import('./commands/release.ts')).release,
  erase: async () => (await import('./commands/erase.ts')).erase,
  backup: async () => (await import('./commands/backup.ts')).backup,
  move: async () => (await import('./commands/move.ts')).move,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
}

export async function commandCalled(name: string): Promise<Command> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (load) return load()
  if (name.startsWith('-')) throw new Misuse('The command comes first, then its options. See npm run leads -- help')
  const near = nearest(name, Object.keys(commands))
  throw new Misuse(`There is no such command.${near ? ` Did you mean ${near}?` : ''} See npm run leads -- help`)
}
