/** Whether certificates have stopped coming: a rule over the latest leads, the newest first, true for one that had one. */

/** So many in a row without one are no chance: of leads of which half have one, that happens once in a thousand. */
const IN_A_ROW = 10
const FEWEST_BEFORE = 10

export type CertificateVerdict = 'come' | 'have stopped' | 'not known'

/** `not known` while too few leads came, or when they have been missing for so long that nothing else is seen any more. */
export function certificatesIn(latest: readonly boolean[]): CertificateVerdict {
  const row = latest.slice(0, IN_A_ROW)
  if (row.some(Boolean)) return 'come'
  const before = latest.slice(IN_A_ROW)
  if (row.length < IN_A_ROW || before.length < FEWEST_BEFORE) return 'not known'
  return before.filter(Boolean).length >= before.length / 2 ? 'have stopped' : 'not known'
}
