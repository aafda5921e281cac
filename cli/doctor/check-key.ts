/** Checks that this machine has the key that the store is used with. Machines that share a store must share the key. */
import { findKey, type KeySettings, keyFileIn } from '../../server/installation-key.ts'
import { keyIdOf } from '../../server/store/erasure.ts'
import type { Store } from '../../server/store/store.ts'
import { type Finding, findingsAbout } from './finding.ts'

const { ok, fault } = findingsAbout('Key')

export async function checkKey(store: Store, settings: KeySettings): Promise<Finding> {
  const file = keyFileIn(settings.dataDir)
  const key = findKey(settings)
  const known = (await store.installationKeys()).map(({ id }) => id)
  const id = key === null ? null : keyIdOf(key)
  if (id === null) {
    if (known.length === 0) return ok(`There is no key yet. The first erasure or consent record makes ${file}.`)
    return fault(
      `This machine does not have the store's key (${known.join(', ')}): nobody can be erased here. Copy erasure.key from the ` +
        `machine that has it to ${file}, or set ERASURE_KEY.`,
    )
  }
  const place = settings.erasureKey === null ? file : 'ERASURE_KEY'
  if (known.length > 0 && !known.includes(id)) {
    return fault(
      `The key in ${place} (key id ${id}) is not the one that the store is used with (${known.join(', ')}). Copy that one here.`,
    )
  }
  return settings.erasureKey === null
    ? ok(`The key is in ${file} (key id ${id}). Keep a copy with your passwords; backups do not have it.`)
    : ok(`The key is in ERASURE_KEY (key id ${id}), as on every machine with the same id.`)
}
