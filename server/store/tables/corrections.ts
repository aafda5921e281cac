/** Corrections of what leads say about their people: evidence, erased with them. */

import { randomUUID } from 'node:crypto'
import type { Agent } from '../../../domain/calling/story-events.ts'
import { insert, type Sql, type Tx } from '../sql.ts'

/** Leaves who corrected what, and a hash of the address before, by which the erased person can be found. */
export async function eraseCorrections(sql: Sql, leadId: string, hash: (email: string) => string): Promise<void> {
  const rows = await sql<{ id: string; email: string | null }>('SELECT id, email FROM corrections WHERE lead_id = $1', [
    leadId,
  ])
  for (const { id, email } of rows) {
    await sql(
      `UPDATE corrections SET reason = NULL, old_values = NULL, new_values = NULL, person_key = NULL, email = NULL, email_mac = $2
       WHERE id = $1`,
      [id, email === null ? null : hash(email)],
    )
  }
}

interface NewCorrection {
  readonly leadId: string
  readonly person: Agent
  readonly reason: string
  readonly oldValues: string
  readonly newValues: string
  /** How the lead was found before. Null: one that was replaced is still found that way. */
  readonly foundBy: { readonly personKey: string; readonly email: string | null } | null
}

export async function addCorrection(tx: Tx, { person, foundBy, ...correction }: NewCorrection): Promise<void> {
  const by = { personId: person.id, personName: person.name }
  const found = foundBy ?? { personKey: null, email: null }
  await insert(tx, 'corrections', { id: randomUUID(), at: tx.at, ...correction, ...by, ...found })
}
