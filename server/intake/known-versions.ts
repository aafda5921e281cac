/** Whether a version is one of ours: of a consent or of questions that visitors see now, or of older ones. */

export type KnowsVersion = (version: string) => Promise<boolean>

interface KnownOptions {
  /** Versions that need no look: at least that of the pages that this server shows. */
  readonly known?: readonly string[]
  /** Of a clock that never goes back. */
  readonly now?: () => number
}

/** Short: another replica may store a new version at any moment, and its visitors' leads come here as well. */
const UNKNOWN_FOR_MS = 5000

const MOST_UNKNOWN = 100

/**
 * Known versions are kept in memory; what is not among them is looked up, since another process may have stored it after
 * this one started. A page from before a deploy thus gets through, and one from another server during it as well.
 * Anybody can make versions up, so only so many in a few seconds reach the store; the others count as unknown.
 */
export function createKnowsVersion(
  lookUp: KnowsVersion,
  { known: knownAtStart = [], now = () => performance.now() }: KnownOptions = {},
): KnowsVersion {
  const known = new Set(knownAtStart)
  // In the order in which they were looked up. A promise, so that those who come meanwhile wait for the same look.
  const unknown = new Map<string, { readonly since: number; readonly answer: Promise<boolean> }>()

  async function look(version: string): Promise<boolean> {
    try {
      const found = await lookUp(version)
      if (found) {
        known.add(version)
        unknown.delete(version)
      }
      return found
    } catch (error) {
      unknown.delete(version)
      throw error
    }
  }

  return async version => {
    if (known.has(version)) return true
    if (!/^[0-9a-f]{64}$/.test(version)) return false
    const time = now()
    for (const [each, { since }] of unknown) {
      if (time < since + UNKNOWN_FOR_MS) break
      unknown.delete(each)
    }
    const asked = unknown.get(version)
    if (asked) return asked.answer
    if (unknown.size >= MOST_UNKNOWN) return false
    const answer = look(version)
    unknown.set(version, { since: time, answer })
    return answer
  }
}
