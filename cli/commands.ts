/** The commands in their groups. */
import { nearest } from '../server/settings-file.ts'
import { doctor } from './check/doctor.ts'
import { testAlert, testWebhook } from './check/test-messages.ts'
import { type Command, type FoundCommand, UsageError } from './command.ts'
import { pause, resume } from './deliveries.ts'
import { invite, people, remove, signOut } from './desk.ts'
import { approve, reject, resend } from './leads/actions.ts'
import { allowCalls, doNotCall } from './leads/do-not-call.ts'
import { erase } from './leads/erase.ts'
import { exportLeads } from './leads/export.ts'
import { funnel } from './leads/funnel.ts'
import { list } from './leads/list.ts'
import { consent, show } from './leads/show.ts'
import { verify } from './leads/verify.ts'
import { backup, move, restore } from './store.ts'

interface Group {
  readonly about: string
  readonly commands: Readonly<Record<string, Command>>
}

export const groups: Readonly<Record<string, Group>> = {
  leads: {
    about: 'View and manage leads.',
    commands: {
      ...{ list, show, export: exportLeads, funnel, approve, reject },
      ...{ 'do-not-call': doNotCall, 'allow-calls': allowCalls, erase, consent, verify },
    },
  },
  deliveries: { about: 'Resend leads to the webhook, or pause deliveries.', commands: { resend, pause, resume } },
  desk: {
    about: 'Manage who can sign in to the desk.',
    commands: { invite, people, 'sign-out': signOut, remove },
  },
  store: { about: 'Back up, restore, or move the store.', commands: { backup, restore, move } },
  check: { about: 'Check the installation.', commands: { doctor, webhook: testWebhook, alert: testAlert } },
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

/** `GROUP COMMAND …`, or just `COMMAND …`: no two groups have a command of the same name. */
export function findCommand(argv: readonly string[]): FoundCommand {
  const [first = '', second = ''] = argv
  const named = Object.hasOwn(groups, first) ? first : undefined
  const [word, rest] = named === undefined ? [first, argv.slice(1)] : [second, argv.slice(2)]
  const name = Object.hasOwn(oldNames, word) ? (oldNames[word] as string) : word
  const searched = Object.entries(groups).filter(([group]) => named === undefined || named === group)
  for (const [group, { commands }] of searched) {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command) return { group, name, command, rest, ...(name === word ? {} : { oldName: word }) }
  }
  // Never repeat what was typed: it may be a person's name.
  if (word.startsWith('-')) throw new UsageError('Put the command first, then its options. See npm run leads -- help')
  const known = searched.flatMap(([, { commands }]) => Object.keys(commands))
  const near = nearest(word, named === undefined ? [...known, ...Object.keys(groups)] : known)
  const hint = near ? ` Did you mean ${near}?` : ''
  throw new UsageError(`Unknown command${named ? ` in ${named}` : ''}.${hint} See npm run leads -- help`)
}
