/** The stream that tells open pages of changes, over a real store of either engine. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../server/store/store.ts'
import { type DeskUnderTest, deskOver } from '../../../tests/support/desk.ts'
import { engines, type OpenEngine } from '../../../tests/support/store-engines.ts'

describe.each(engines)('the stream of events on $name', engine => {
  let open: OpenEngine
  let store: Store
  let desk: DeskUnderTest
  beforeEach(async () => {
    open = await engine.open()
    store = open.store
    desk = deskOver(store)
  })
  afterEach(() => open.remove())

  test('a look at the head of the stream of events begins none', async () => {
    let looks = 0
    const watched = deskOver({
      ...store,
      changeMark: () => {
        looks++
        return store.changeMark()
      },
    })
    const visitor = await watched.signedIn('Ada Head')
    expect((await visitor.ask('/api/events', { method: 'HEAD' })).status).toBe(200)
    expect(looks).toBe(0)
    const stream = await visitor.ask('/api/events')
    expect(looks).toBe(1)
    await stream.body?.cancel()
  })

  test('says that something has changed while the session stands, and ends with it', async () => {
    const lou = await desk.signedIn('Lou Looker', 'look')
    const stream = (await lou.ask('/api/events')).body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await stream?.read())?.value).toContain(': hello')
    const other = await open.again()
    // Again and again: the first look at the store is for comparison alone.
    let written = Promise.resolve()
    const writing = setInterval(() => {
      written = other.probe()
    }, 50)
    let told = ''
    while (!told.includes('event: changed')) told += (await stream?.read())?.value ?? ''
    clearInterval(writing)
    await written
    await other.signOut('Lou Looker')
    for (;;) {
      const { done } = (await stream?.read()) ?? { done: true }
      if (done) break
    }
  })
})
