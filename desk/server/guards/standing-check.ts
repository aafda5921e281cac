/** Whether sessions still stand, for those who answer for long. With each change every open event stream asks at once. */
import type { Store } from '../../../server/store/store.ts'

/** All who ask in the same moment are answered by one look at the store. */
export function createStandingCheck(store: Pick<Store, 'standingSessions'>): (tokenHash: string) => Promise<boolean> {
  let asking: { readonly hashes: Set<string>; readonly standing: Promise<ReadonlySet<string>> } | undefined

  async function lookInAMoment(hashes: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    await new Promise(resolve => setImmediate(resolve))
    asking = undefined
    return new Set(await store.standingSessions([...hashes]))
  }

  return async tokenHash => {
    if (!asking) {
      const hashes = new Set<string>()
      asking = { hashes, standing: lookInAMoment(hashes) }
    }
    asking.hashes.add(tokenHash)
    return (await asking.standing).has(tokenHash)
  }
}
