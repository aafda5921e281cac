/** What is kept of an erased person's address and number: hashes by which their consent is found when they give them. */
import { createHmac } from 'node:crypto'
import { phoneDigits } from '../../../domain/phone.ts'
import { canonicalEmail } from '../repeats.ts'
import { number, text } from '../rows.ts'
import type { Sql, SqlPort } from '../sql.ts'
import type { Store } from '../store.ts'
import { StoreUnusable } from '../store-errors.ts'

/** Ten digits are soon guessed: a hash without a key would give the number away to whoever has the store. */
function macOf(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

const emailMac = (email: string, key: string) => macOf(`email:${canonicalEmail(email)}`, key)
const phoneMac = (phone: string, key: string) => macOf(`phone:${phoneDigits(phone)}`, key)

/** Tells keys apart without telling anything of them. */
function keyIdOf(key: string): string {
  return macOf('which key', key).slice(0, 12)
}

export async function rememberErased(
  sql: Sql,
  { id, email, phone }: { readonly id: string; readonly email: string; readonly phone: string },
  { key, at }: { readonly key: string; readonly at: number },
): Promise<void> {
  await sql(
    'INSERT INTO erased_people (lead_id, email_mac, phone_mac, key_id, erased_at) VALUES ($1, $2, $3, $4, $5)',
    [id, emailMac(email, key), phoneMac(phone, key), keyIdOf(key), at],
  )
}

/** Erasures under several keys could not be looked up by one: a new key needs the operator's word. */
export async function verifyKey(sql: Sql, key: string, at: number, newKey: boolean): Promise<void> {
  const id = keyIdOf(key)
  const known = (await sql('SELECT id FROM erasure_keys')).map(row => text(row, 'id'))
  if (known.includes(id)) return
  if (known.length > 0 && !newKey) {
    throw new StoreUnusable(
      'ERASURE_KEY is not the one that was used for erasures until now: put that one back. If it is lost for good, erase ' +
        'with --new-key: people who were erased before can then no longer be found by their number.',
    )
  }
  await sql('INSERT INTO erasure_keys (id, first_used_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', [id, at])
}

/** The erased leads of a person who gives their address or number, the oldest first. */
export async function findErased(
  { read }: Pick<SqlPort, 'read'>,
  { person, key }: Parameters<Store['erasedLeadsOf']>[0],
): ReturnType<Store['erasedLeadsOf']> {
  const [column, mac] =
    'email' in person
      ? (['email_mac', key && emailMac(person.email, key)] as const)
      : (['phone_mac', key && phoneMac(person.phone, key)] as const)
  const found = mac ? await read(`SELECT lead_id FROM erased_people WHERE ${column} = $1 ORDER BY lead_id`, [mac]) : []
  const keyId = key ? keyIdOf(key) : ''
  const others = (await read('SELECT id FROM erasure_keys WHERE id <> $1', [keyId])).length
  const [unseen] =
    others === 0 ? [] : await read('SELECT COUNT(*) AS total FROM erased_people WHERE key_id <> $1', [keyId])
  return { ids: found.map(row => text(row, 'lead_id')), underOtherKeys: unseen ? number(unseen, 'total') : 0 }
}
