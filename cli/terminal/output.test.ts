import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { OutputClosed } from '../command.ts'
import { outputTo } from './output.ts'

test('a write waits for the reader', async () => {
  const events: string[] = []
  const slow = new Writable({
    write(_chunk, _encoding, done) {
      setImmediate(() => {
        events.push('read')
        done()
      })
    },
  })
  await outputTo(slow).write('text')
  expect(events).toEqual(['read'])
})

const failingWith = (code: string) =>
  new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) })

test('a closed pipe is told from an error', async () => {
  await expect(outputTo(failingWith('EPIPE')).write('line')).rejects.toBeInstanceOf(OutputClosed)
  await expect(outputTo(failingWith('ENOSPC')).write('line')).rejects.toThrow('The output can’t be written (ENOSPC).')
})
