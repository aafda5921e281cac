/** The commands in their groups. Each is loaded when it is called, so that a quick one doesn't wait for the others. */
import { nearest } from '../server/spelling.ts'
import type { Command } from './command.ts'
import { Misuse } from './failure.ts'

type Commands = Readonly<Record<string, () => Promise<Command>>>

interface Group {
  readonly about: string
  readonly commands: Commands
}

export const groups: Readonly<Record<string, Group>> = {
  leads: {
    about: 'View and manage leads.',
    commands: {
      list: async () => (await import('./commands/reports/list.ts')).list,
      show: async () => (await import('./commands/reports/show.ts')).show,
      export: async () => (await import('./commands/reports/export.ts')).exportLeads,
      funnel: async () => (await import('./commands/reports/funnel.ts')).funnel,
      approve: async () => (await import('./commands/decisions/release.ts')).release,
      reject: async () => (await import('./commands/decisions/reject.ts')).reject,
      'do-not-call': async () => (await import('./commands/decisions/suppress.ts')).suppress,
      erase: async () => (await import('./commands/decisions/erase.ts')).erase,
      consent: async () => (await import('./commands/reports/consent.ts')).consent,
      verify: async () => (await import('./commands/reports/verify.ts')).verify,
    },
  },
  deliveries: {
    about: 'Send leads to the webhook again, or hold them back.',
    commands: {
      resend: async () => (await import('./commands/decisions/redeliver.ts')).redeliver,
      pause: async () => (await import('./commands/decisions/pause.ts')).pause,
      resume: async () => (await import('./commands/decisions/resume.ts')).resume,
    },
  },
  desk: {
    about: 'Manage who can sign in to the desk.',
    commands: {
      invite: async () => (await import('./commands/desk/invite.ts')).invite,
      people: async () => (await import('./commands/desk/people.ts')).people,
      'sign-out': async () => (await import('./commands/desk/sign-out.ts')).signOut,
      remove: async () => (await import('./commands/desk/sign-out.ts')).dismiss,
    },
  },
  store: {
    about: 'Back up, restore, or move the store.',
    commands: {
      backup: async () => (await import('./commands/store/backup.ts')).backup,
      restore: async () => (await import('./commands/store/restore.ts')).restore,
      move: async () => (await import('./commands/store/move.ts')).move,
    },
  },
  check: {
    about: 'Check the installation.',
    commands: {
      doctor: async () => (await import('./commands/checks/doctor.ts')).doctor,
      webhook: async () => (await import('./commands/checks/test-webhook.ts')).testWebhook,
      alert: async () => (await import('./commands/checks/test-alert.ts')).testAlert,
    },
  },
}

/** Names from before 0.6.0. They keep working. */
const oldNames: Readonly<Record<string, string>> = {
  release: 'approve',
  redeliver: 'resend',
  suppress: 'do-not-call',
  dismiss: 'remove',
  'test-webhook': 'webhook',
  'test-alert': 'alert',
}

export interface FoundCommand {
  readonly group: string
  readonly name: string
  readonly command: Command
  /** Set when it was called by its old name. */
  readonly oldName?: string
  /** What follows the command. */
  readonly rest: readonly string[]
}

/** `GROUP COMMAND …`, or just `COMMAND …`: no two groups have a command of the same name. */
export async function findCommand(argv: readonly string[]): Promise<FoundCommand> {
  const [first = '', second] = argv
  const named = Object.hasOwn(groups, first) ? first : undefined
  const [word, rest] = named === undefined ? [first, argv.slice(1)] : [second ?? '', argv.slice(2)]
  const name = Object.hasOwn(oldNames, word) ? (oldNames[word] as string) : word
  for (const [group, { commands }] of Object.entries(groups)) {
    if (named !== undefined && named !== group) continue
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (load) return { group, name, command: await load(), rest, ...(name === word ? {} : { oldName: word }) }
  }
  // What was typed is never repeated: it may be a person's name.
  if (word.startsWith('-')) throw new Misuse('Put the command first, then its options. See npm run leads -- help')
  const known = Object.entries(groups).flatMap(([group, { commands }]) =>
    named === undefined || named === group ? Object.keys(commands) : [],
  )
  const near = nearest(word, named === undefined ? [...known, ...Object.keys(groups)] : known)
  const hint = near ? ` Did you mean ${near}?` : ''
  throw new Misuse(`Unknown command${named ? ` in ${named}` : ''}.${hint} See npm run leads -- help`)
}
