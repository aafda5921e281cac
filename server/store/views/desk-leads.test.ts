/** The desk's operations on leads, on both engines. */
import { expect, test } from 'vitest'
import { ERASURE_KEY } from '../../../tests/support/lead-store.ts'
import { held, onEachEngine } from '../../../tests/support/store-engines.ts'
import type { Submission } from '../operations/leads/capture.ts'

onEachEngine('leads in the desk', harness => {
  const { store, deliverAll, historyOf } = harness
  const capture = async (name: string, differences: Partial<Submission> = {}) =>
    (await harness.capture(name, differences)).id

  test('a person’s repeated views are recorded once per interval; views of a missing lead aren’t recorded', async () => {
    const id = await capture('ada')
    const view = (by: string, intervalMs: number) => store.recordView({ id, by, intervalMs })
    const recorded = [await view('Maria', 60_000), await view('Maria', 60_000), await view('Joe', 60_000)]
    expect(recorded).toEqual([true, false, true])
    expect(await view('Maria', -1)).toBe(true)
    expect(await store.recordView({ id: 'no-such-lead', by: 'Maria', intervalMs: 0 })).toBe(false)
    const views = (await historyOf(id)).map(([event, detail]) => `${event} ${JSON.stringify(detail)}`)
    expect(views.toSorted()).toEqual(['Joe', 'Maria', 'Maria'].map(name => `looked {"by":"${name}"}`))
  })

  test('notes are kept until they’re removed or their lead is erased, and never appear in history', async () => {
    const id = await capture('ada')
    const note = await store.addNote({ leadId: id, by: 'Maria', text: 'calls back <b>at nine</b>' })
    const other = await store.addNote({ leadId: id, by: 'Joe', text: 'second' })
    expect(await store.notesOf(id)).toEqual(
      expect.arrayContaining([
        { ...note, by: 'Maria', text: 'calls back <b>at nine</b>' },
        { ...other, text: 'second' },
      ]),
    )
    const removal = { leadId: id, noteId: other?.id ?? '', by: 'Joe' }
    expect([await store.removeNote(removal), await store.removeNote(removal)]).toEqual([true, false])
    expect(await store.notesOf(id)).toMatchObject([{ by: 'Maria' }])
    // Only the person who removed it can undo that.
    expect(await store.restoreNote({ ...removal, by: 'Maria' })).toBe(false)
    expect([await store.restoreNote(removal), await store.restoreNote(removal)]).toEqual([true, false])
    expect(await store.notesOf(id)).toHaveLength(2)
    // A removed note's text stays until the lead is erased.
    await store.removeNote(removal)
    const stored = 'SELECT words FROM notes ORDER BY words'
    expect(await harness.rows(stored)).toMatchObject([{ words: 'calls back <b>at nine</b>' }, { words: 'second' }])
    await store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
    expect(await harness.rows(stored)).toEqual([])
    expect(await store.addNote({ leadId: id, by: 'Maria', text: 'too late' })).toBeNull()
    const lines = await historyOf(id)
    expect(lines).toContainEqual(['erased', { cancelledDelivery: 'pending', by: 'Maria' }])
    expect(JSON.stringify(lines)).not.toContain('nine')
  })

  test('a note added during an erasure doesn’t survive it', async () => {
    for (const name of ['ada', 'bob', 'cy', 'dee', 'eva', 'fay', 'gus', 'hal']) {
      const id = await capture(name)
      const erasing = store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
      await Promise.all([erasing, store.addNote({ leadId: id, by: 'Joe', text: 'too late' })])
      expect(await store.notesOf(id)).toEqual([])
    }
  })

  test('the mark changes with leads, notes, deliveries, and the pause, but not with views, exports, or probes', async () => {
    const other = await harness.openAnother()
    const id = await capture('ada')
    const bumpsMark = async (change: () => Promise<unknown>) => {
      const before = await other.pulse()
      await change()
      return (await other.pulse()).mark !== before.mark
    }
    expect(await bumpsMark(() => capture('bob', held))).toBe(true)
    expect(await bumpsMark(deliverAll)).toBe(true)
    expect(await bumpsMark(() => store.addNote({ leadId: id, by: 'Maria', text: 'Called' }))).toBe(true)
    expect(await bumpsMark(() => store.pauseDeliveries({ reason: '', by: 'Maria' }))).toBe(true)
    expect((await other.pulse()).paused).toBe(true)
    expect(await bumpsMark(() => store.resumeDeliveries({ by: 'Maria' }))).toBe(true)
    expect(await bumpsMark(() => store.probe())).toBe(false)
    expect(await bumpsMark(() => store.recordView({ id, by: 'Maria', intervalMs: 0 }))).toBe(false)
    expect(await bumpsMark(() => store.recordExport({ by: 'Joe', format: 'csv', filter: '{}', leads: 1 }))).toBe(false)
    expect(await bumpsMark(() => store.recordListView({ by: 'Joe', day: '2030-01-31', leads: 50 }))).toBe(false)
  })
})
