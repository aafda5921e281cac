import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../domain/calling/hours.ts'
import { contactOf, maria } from '../../../tests/support/lead-store.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'
import { evidenceProblem } from '../../alerts/evidence-watch.ts'

const intact = { texts: 0, calls: 0, stops: 0 }

onEachEngine('evidence', harness => {
  const { store, change } = harness

  test('a changed consent, a missing call, and a missing stop are found, also the last one', async () => {
    for (const [name, phone] of [
      ['ada', '(808) 555-0101'],
      ['bob', '(808) 555-0102'],
    ] as const) {
      const { id: leadId } = await harness.capture(name, { contact: { ...contactOf(name), phone } })
      await store.startCall({ leadId, person: maria, hours, overrideReason: 'they asked for it' })
      const contacts = [{ phone }]
      await store.addToDoNotCall({ contacts, by: 'Maria' })
      await store.removeFromDoNotCall({ contacts, by: 'Maria', request: null })
      await store.addToDoNotCall({ contacts, by: 'Maria' })
    }
    // From before there was a history.
    await change(`INSERT INTO do_not_call_history (contact, n, at, event) VALUES ('9175550101', 0, 1000, 'added')`)
    expect(await store.damagedEvidence()).toEqual(intact)
    await change(`DELETE FROM do_not_call_history WHERE contact = '8085550101' AND n = 2`)
    expect(await store.damagedEvidence()).toEqual({ ...intact, stops: 1 })
    await change(`DELETE FROM do_not_call_history WHERE n = 3`)
    expect(await store.damagedEvidence()).toEqual({ ...intact, stops: 2 })
    await change(`DELETE FROM story_events WHERE kind = 'dialed'`)
    expect(await store.damagedEvidence()).toEqual({ ...intact, stops: 2, calls: 2 })
    await change(`UPDATE consents SET presented = replace(presented, 'agree', 'disagree')`)
    expect(await store.damagedEvidence()).toEqual({ texts: 1, stops: 2, calls: 2 })
  })
})

test('the alert says what, and how much', () => {
  expect(evidenceProblem(intact)).toBeNull()
  expect(evidenceProblem({ texts: 1, calls: 0, stops: 2 })).toContain(
    'version: 1; do-not-call entries with history missing: 2)',
  )
})
