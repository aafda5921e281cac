/** Finds the command that was asked for, runs it, and turns whatever goes wrong into one clear line and an exit code. */
import { ConfigError } from '../server/config.ts'
import { StoreUnavailable, StoreUnusable } from '../server/store/store-errors.ts'
import { findCommand, groups } from './commands.ts'
import { exitCodes, Failure, Misuse, ReaderGone } from './failure.ts'
import { helpForAll, helpForGroup, helpForOne, helpOption } from './help.ts'
import { type Output, outputTo } from './terminal/output.ts'
import type { Surroundings } from './terminal/surroundings.ts'
import { parseTyped } from './typed.ts'

/** Resolves to the exit code, and never rejects. */
export async function runCli(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const out = outputTo(surroundings.stdout)
  const notes = outputTo(surroundings.stderr)
  try {
    if (npmWroteAbove(surroundings)) {
      await notes.write('The first two lines of this output come from npm. To leave them out: npm run -s leads -- …\n')
    }
    const code = await dispatch(argv, surroundings, out, notes)
    await out.flush()
    return code
  } catch (error) {
    if (error instanceof ReaderGone) return exitCodes.done
    // When not even this can be written, the exit code is all that is left to say.
    await notes.write(`${explain(error)}\n`).catch(() => {})
    return error instanceof Misuse ? exitCodes.misused : exitCodes.failed
  }
}

/**
 * npm writes two lines of its own above the output of a script, to the same place, unless it is told to be silent. Nothing
 * takes them back from a file or a pipe.
 */
function npmWroteAbove({ stdout, npm }: Surroundings): boolean {
  return !stdout.isTTY && npm?.script === 'leads' && npm.loudness !== 'silent'
}

async function dispatch(
  argv: readonly string[],
  surroundings: Surroundings,
  out: Output,
  notes: Output,
): Promise<number> {
  const isHelp = (word: string | undefined) => word === 'help' || word === '--help' || word === '-h'
  const [first, ...others] = argv
  if (first === undefined) {
    await notes.write(await helpForAll())
    return exitCodes.misused
  }
  const asksForHelp = isHelp(first) || others.includes('--help') || others.includes('-h')
  const named = isHelp(first) ? others : argv.filter(word => !isHelp(word))
  if (asksForHelp && named.length === 0) {
    await out.write(await helpForAll())
    return exitCodes.done
  }
  const [only] = named
  if (named.length === 1 && only !== undefined && Object.hasOwn(groups, only)) {
    await (asksForHelp ? out : notes).write(await helpForGroup(only))
    return asksForHelp ? exitCodes.done : exitCodes.misused
  }
  const found = await findCommand(named)
  if (asksForHelp) {
    await out.write(helpForOne(found))
    return exitCodes.done
  }
  const { group, name, oldName, command, rest } = found
  if (oldName !== undefined)
    await notes.write(`\`${oldName}\` is now \`${group} ${name}\`; the old name still works.\n`)
  const typed = parseTyped(rest, { ...command.options, ...helpOption }, command.mostWords)
  return command.run({ ...surroundings, typed, out, notes })
}

function explain(error: unknown): string {
  if (error instanceof Misuse || error instanceof Failure || error instanceof StoreUnusable) return error.message
  if (error instanceof ConfigError) return error.message
  if (error instanceof StoreUnavailable) return `The store is unavailable: ${error.message}`
  // The message is left out: it may quote what the store holds.
  const { name, stack } = error instanceof Error ? error : new Error(typeof error)
  const place = stack?.match(/\w[\w/.-]*\.ts:\d+/)?.[0]
  return `Unexpected error: ${name}${place ? ` at ${place}` : ''}. Please report it.`
}
