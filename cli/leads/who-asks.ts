/** Who typed a command, for the history of what it changed. */
import { hostname, userInfo } from 'node:os'
import type { Typed } from '../command.ts'
import { Misuse } from '../failure.ts'

/** Looking at a lead again within this time is recorded once, as at the desk. */
export const LOOK_REST_MS = 5 * 60_000

export const byOption = {
  by: { value: 'NAME', about: 'Who does this, for the history. Default: the system user.' },
} as const

export function whoActs(typed: Pick<Typed, 'text'>): string {
  const name = typed.text('by')
  if (name === undefined) return whoAsks()
  if (name.trim() === '') throw new Misuse('--by needs a name.')
  return name.trim()
}

/** In a container the user may have no name. */
export function whoAsks(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return hostname()
  }
}
