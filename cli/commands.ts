/** The commands in their groups. Each is loaded when it is called, so that a quick one doesn't wait for the others. */
import { nearest } from '../server/settings-file.ts'
import { type Command, UsageError } from './command.ts'

interface Group {
  readonly about: string
  readonly commands: Readonly<Record<string, () => Promise<Command>>>
}

export const groups: Readonly<Record<string, Group>> = {
  leads: {
    about: 'View and manage leads.',
    commands: {
      list: async () => (await import('./leads/list.ts')).list,
      show: async () => (await import('./leads/show.ts')).show,
      export: async () => (await import('./leads/export.ts')).exportLeads,
      funnel: async () => (await import('./leads/funnel.ts')).funnel,
      approve: async () => (await import('./leads/actions.ts')).approve,
      reject: async () => (await import('./leads/actions.ts')).reject,
      'do-not-call': async () => (await import('./leads/do-not-call.ts')).doNotCall,
      'allow-calls': async () => (await import('./leads/do-not-call.ts')).allowCalls,
      erase: async () => (await import('./leads/erase.ts')).erase,
      consent: async () => (await import('./leads/show.ts')).consent,
      verify: async () => (await import('./leads/verify.ts')).verify,
    },
  },
  deliveries: {
    about: 'Resend leads to the webhook, or pause deliveries.',
    commands: {
      resend: async () => (await import('./leads/actions.ts')).resend,
      pause: async () => (await import('./deliveries.ts')).pause,
      resume: async () => (await import('./deliveries.ts')).resume,
    },
  },
  desk: {
    about: 'Manage who can sign in to the desk.',
    commands: {
      invite: async () => (await import('./desk.ts')).invite,
      people: async () => (await import('./desk.ts')).people,
      'sign-out': async () => (await import('./desk.ts')).signOut,
      remove: async () => (await import('./desk.ts')).remove,
    },
  },
  store: {
    about: 'Back up, restore, or move the store.',
    commands: {
      backup: async () => (await import('./store.ts')).backup,
      restore: async () => (await import('./store.ts')).restore,
      move: async () => (await import('./store.ts')).move,
    },
  },
  check: {
    about: 'Check the installation.',
    commands: {
      doctor: async () => (await import('./check/doctor.ts')).doctor,
      webhook: async () => (await import('./check/test-messages.ts')).testWebhook,
      alert: async () => (await import('./check/test-messages.ts')).testAlert,
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
  /** Set if it was called by its old name. */
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
  const searched = Object.entries(groups).filter(([group]) => named === undefined || named === group)
  for (const [group, { commands }] of searched) {
    const load = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (load) return { group, name, command: await load(), rest, ...(name === word ? {} : { oldName: word }) }
  }
  // What was typed is never repeated: it may be a person's name.
  if (word.startsWith('-')) throw new UsageError('Put the command first, then its options. See npm run leads -- help')
  const known = searched.flatMap(([, { commands }]) => Object.keys(commands))
  const near = nearest(word, named === undefined ? [...known, ...Object.keys(groups)] : known)
  const hint = near ? ` Did you mean ${near}?` : ''
  throw new UsageError(`Unknown command${named ? ` in ${named}` : ''}.${hint} See npm run leads -- help`)
}
