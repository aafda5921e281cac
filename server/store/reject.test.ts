/** Rejecting held leads, on both engines. */
import { expect, test } from 'vitest'
import { HOUR, held, onEachEngine } from '../../tests/support/store-scene.ts'

const reason = 'a joke'

onEachEngine('a rejected lead', scene => {
  const { store, capture } = scene
  const captureHeld = (name: string) => capture(name, held)
  const captureRejected = async (name: string) => {
    const { id } = await captureHeld(name)
    await store.reject({ ids: [id], reason, by: 'Maria' })
    return id
  }

  test('is kept with both reasons, is found by its state, and is never delivered', async () => {
    const id = await captureRejected('ada')
    expect(await store.find(id)).toMatchObject({
      state: 'rejected',
      heldReason: 'a link in the name',
      rejectedReason: reason,
      email: 'ada@example.org',
      delivery: null,
      history: [
        { event: 'received' },
        { event: 'rejected', detail: '{"heldReason":"a link in the name","by":"Maria"}' },
      ],
    })
    expect(await store.count({ state: 'rejected' })).toBe(1)
    expect(await store.redeliver({ ids: [id], again: true, by: 'Maria' })).toBe(0)
    expect(await store.lease({ limit: 10, leaseMs: HOUR })).toEqual([])
  })

  test('must have been on hold, or none of the selected leads is rejected', async () => {
    const [held, accepted] = [await captureHeld('ada'), await capture('bob')]
    expect(await store.reject({ ids: [held.id, accepted.id], reason, by: 'Maria' })).toBe(0)
    expect(await store.find(held.id)).toMatchObject({ state: 'held', rejectedReason: null })
    expect(await store.reject({ ids: [held.id, held.id], reason, by: 'Maria' })).toBe(1)
    expect(await store.reject({ ids: [held.id], reason, by: 'Maria' })).toBe(0)
    expect(await store.reject({ ids: ['no-such-id'], reason, by: 'Maria' })).toBe(0)
  })

  test('does not turn the person’s next lead into a repeat: the rejection may have been a mistake', async () => {
    const id = await captureRejected('ada')
    const again = await capture('ada')
    expect(again.state).toBe('accepted')
    // Otherwise the person would be called twice.
    expect(await store.release({ ids: [id], by: 'Maria' })).toBe(0)
    expect(await store.find(id)).toMatchObject({ state: 'rejected' })
  })

  test('only one of a person’s two rejected leads can be released', async () => {
    const ids = [await captureRejected('ada'), await captureRejected('ada')]
    expect(await store.release({ ids, by: 'Maria' })).toBe(0)
    expect(await store.release({ ids: ids.slice(0, 1), by: 'Maria' })).toBe(1)
    expect(await store.release({ ids: ids.slice(1), by: 'Maria' })).toBe(0)
  })
})
