/** An alert if evidence in the store was changed or deleted. */
import type { Store } from '../store/store.ts'
import type { DamagedEvidence } from '../store/views/evidence.ts'
import type { Alerts } from './alerts.ts'

export async function checkEvidence(store: Pick<Store, 'damagedEvidence'>, alerts: Alerts): Promise<void> {
  const damaged = await store.damagedEvidence()
  const problem = evidenceProblem(damaged)
  if (problem !== null) alerts.raise('evidence_changed', problem, { detail: { ...damaged } })
}

/** Null if nothing is wrong. */
export function evidenceProblem({ texts, calls, stops }: DamagedEvidence): string | null {
  const found = [
    ...(texts > 0 ? [`consents or questions that don’t match their version: ${texts}`] : []),
    ...(calls > 0 ? [`phone numbers with calls missing: ${calls}`] : []),
    ...(stops > 0 ? [`do-not-call entries with history missing: ${stops}`] : []),
  ]
  if (found.length === 0) return null
  return `Evidence in the store was changed or deleted (${found.join('; ')}). Someone changed the database by hand, or it’s damaged. Keep your backups, and compare them with it.`
}
