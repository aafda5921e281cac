/** Typos in what people type: email providers, settings, and commands. */

/** One letter added, dropped, or changed, or two adjacent letters swapped. */
export function isOneTypoAway(typed: string, meant: string): boolean {
  let same = 0
  while (same < typed.length && typed[same] === meant[same]) same++
  const [typedRest, meantRest] = [typed.slice(same), meant.slice(same)]
  return (
    typedRest.slice(1) === meantRest.slice(1) ||
    typedRest.slice(1) === meantRest ||
    typedRest === meantRest.slice(1) ||
    (typedRest.slice(2) === meantRest.slice(2) && typedRest[0] === meantRest[1] && typedRest[1] === meantRest[0])
  )
}
