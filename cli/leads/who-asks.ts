/** Who typed a command, for the record of what it did. */
import { hostname, userInfo } from 'node:os'

/** In a container the user may have no name. */
export function whoAsks(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    return hostname()
  }
}
