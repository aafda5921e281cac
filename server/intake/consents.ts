/** Whether a consent's version is one of ours: of the text that visitors see now, or of an older one. */

export type KnowsConsent = (version: string) => Promise<boolean>

/**
 * Known versions are kept in memory; what is not among them is looked up, since another process may have stored it after
 * this one started. A page from before a deploy thus gets through, and one from another server during it as well.
 */
export function createKnowsConsent(lookUp: KnowsConsent): KnowsConsent {
  const known = new Set<string>()
  return async version => {
    if (known.has(version)) return true
    if (!/^[0-9a-f]{64}$/.test(version) || !(await lookUp(version))) return false
    known.add(version)
    return true
  }
}
