/** Runs a command, and turns any error into one clear line and an exit code. */

import { jsonText } from '../server/export/plain-text.ts'
import { SiteUnusable } from '../server/http/site-files.ts'
import { createCalendar } from '../server/settings/calendar.ts'
import { ConfigError } from '../server/settings/config.ts'
import { connectStore } from '../server/store/open-store.ts'
import type { Store } from '../server/store/store.ts'
import { StoreUnavailable, StoreUnusable } from '../server/store/store-errors.ts'
import { logChanges } from '../server/store/upkeep/change-log.ts'
import { parseArguments } from './arguments.ts'
import {
  type CliContext,
  type Command,
  CommandError,
  type Output,
  OutputClosed,
  type Run,
  UsageError,
} from './command.ts'
import { findCommand, groups, helpForAll, helpForGroup, helpForOne } from './commands.ts'
import { systemUser } from './options.ts'
import { outputTo } from './terminal/output.ts'

const exitCodes = { success: 0, failure: 1, usageError: 2 } as const

/** Resolves to the exit code, and never rejects. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  const out = outputTo(context.stdout)
  const notes = outputTo(context.stderr)
  try {
    return await dispatch(argv, context, out, notes)
  } catch (error) {
    if (error instanceof OutputClosed) return exitCodes.success
    // If stderr is closed too, only the exit code reports the failure.
    await notes.write(`${explain(error)}\n`).catch(() => {})
    return error instanceof UsageError ? exitCodes.usageError : exitCodes.failure
  }
}

async function dispatch(argv: readonly string[], context: CliContext, out: Output, notes: Output): Promise<number> {
  const isHelp = (word: string, index: number) => word === '--help' || word === '-h' || (index === 0 && word === 'help')
  const asksForHelp = argv.some(isHelp)
  const words = argv.filter((word, index) => !isHelp(word, index))
  const [first] = words
  const isGroup = first !== undefined && words.length === 1 && Object.hasOwn(groups, first)
  if (first === undefined || isGroup) {
    await (asksForHelp ? out : notes).write(isGroup ? helpForGroup(first) : helpForAll())
    return asksForHelp ? exitCodes.success : exitCodes.usageError
  }
  const found = findCommand(words)
  if (asksForHelp) {
    await out.write(helpForOne(found))
    return exitCodes.success
  }
  await runCommand(found.command, { ...context, args: parseArguments(found), out, notes })
  return exitCodes.success
}

async function runCommand(command: Command, context: CliContext & Pick<Run, 'args' | 'out' | 'notes'>): Promise<void> {
  const { args, out, readConfig, now, busyTimeoutMs } = context
  const stores: Store[] = []
  const changed: Store[] = []
  const run: Run = {
    ...context,
    json: value => out.write(`${jsonText(value, 2)}\n`),
    async openStore(access) {
      const store = await connectStore(readConfig(), { access, now, busyTimeoutMs })
      stores.push(store)
      if (access === 'write') changed.push(store)
      return store
    },
    by() {
      const name = args.text('by')?.trim() ?? systemUser()
      if (name === '') throw new UsageError('--by needs a name.')
      return name
    },
    calendar: () => createCalendar(readConfig().timeZone),
  }
  try {
    await command.run(run)
    for (const store of changed) await log(run, store)
  } finally {
    await Promise.all(stores.map(store => store.close()))
  }
}

/** Otherwise, with no server running, what the command changed would wait for one. */
async function log({ notes, readConfig }: Run, store: Store): Promise<void> {
  await logChanges(store, readConfig().erasureList).catch(error =>
    notes.write(
      `This isn’t in ERASURE_LIST yet, so restoring a backup would undo it. The server tries again. ${explain(error)}\n`,
    ),
  )
}

const expectedErrors = [UsageError, CommandError, StoreUnusable, ConfigError, SiteUnusable]

function explain(error: unknown): string {
  if (error instanceof Error && expectedErrors.some(kind => error instanceof kind)) return error.message
  if (error instanceof StoreUnavailable) return `The store is unavailable: ${error.message}`
  // Leave out the message, which may quote stored data.
  const { name, stack } = error instanceof Error ? error : new Error(typeof error)
  const location = stack?.match(/\w[\w/.-]*\.ts:\d+/)?.[0]
  return `Unexpected error: ${name}${location ? ` at ${location}` : ''}. Please report this.`
}
