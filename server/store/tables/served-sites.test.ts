import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../domain/durations.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'

onEachEngine('served sites', ({ store, change }) => {
  test('names servers that still show an older site than another one has for ten minutes, until they’re gone for an hour', async () => {
    const now = Date.now()
    const serve = (source: string, site: string, minutesAgo: number) =>
      store.recordServedSite({ source, site, publishedAt: now - minutesAgo * MINUTE })
    const behind = async () => (await store.serversBehind()).map(({ source }) => source)
    await serve('web-1:3000', 'old', 60)
    await serve('web-2:3000', 'old', 59)
    expect(await behind()).toEqual([])
    await serve('web-1:3000', 'new', 1)
    expect(await behind()).toEqual([])
    await serve('web-1:3000', 'new', 30)
    expect(await behind()).toEqual(['web-2:3000'])
    await change(`UPDATE served_sites SET seen_at = seen_at - ${2 * HOUR}`)
    await serve('web-1:3000', 'new', 30)
    expect(await behind()).toEqual([])
  })
})
