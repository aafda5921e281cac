/** Who was erased, by keyed hashes, and the installation keys that made those. */
import { emailMac, keyIdOf, phoneMac } from '../facts/leads/hashes.ts'
import { insert, type Tx } from '../sql.ts'
import { StoreUnusable } from '../store-errors.ts'
import { addToLog } from './to-log.ts'

export const IF_KEY_IS_LOST =
  'If the key is lost, erase or restore with --new-key: people erased before then can no longer be found by phone number or email.'

/** Hashes made with one key can't be found with another, so a different key needs the operator's confirmation. */
export async function registerKey(
  tx: Tx,
  { id, newKey }: { readonly id: string; readonly newKey: boolean },
): Promise<void> {
  const readIds = async () => (await tx<{ id: string }>('SELECT id FROM erasure_keys')).map(row => row.id)
  if ((await readIds()).includes(id)) return
  // Otherwise, two machines that first use a key at the same moment would register two.
  await tx.dialect.lockKeys(tx, ['installation key'])
  const known = await readIds()
  if (known.includes(id)) return
  if (known.length > 0 && !newKey) {
    throw new StoreUnusable(
      `This machine’s key (key ID ${id}) is not the store’s key (${known.join(', ')}). Copy ` +
        `erasure.key from a machine that has it, or set ERASURE_KEY. ${IF_KEY_IS_LOST}`,
    )
  }
  await insert(tx, 'erasure_keys', { id, firstUsedAt: tx.at }, 'ON CONFLICT (id) DO NOTHING')
}

export const markSigning = (tx: Tx, id: string) =>
  tx('UPDATE erasure_keys SET signing_since = COALESCE(signing_since, $2) WHERE id = $1', [id, tx.at])

interface ErasedPerson {
  readonly leadId: string
  readonly email: string
  readonly phone: string
  readonly key: string
  /** Whether a restore has to erase them again. */
  readonly isLogged: boolean
}

export async function addErasedPerson(tx: Tx, { leadId, email, phone, key, isLogged }: ErasedPerson): Promise<void> {
  const macs = { emailMac: emailMac(email, key), phoneMac: phoneMac(phone, key), keyId: keyIdOf(key) }
  await insert(tx, 'erased_people', { leadId, ...macs, erasedAt: tx.at })
  if (isLogged) await addToLog(tx, 'erased', [leadId])
}
