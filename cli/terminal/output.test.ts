import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { Failure, ReaderGone } from '../failure.ts'
import { outputTo } from './output.ts'

test('a write waits as long as the reader is slow', async () => {
  let takeMore = () => {}
  const slow = new Writable({
    highWaterMark: 4,
    write(_chunk, _encoding, done) {
      takeMore = done
    },
  })
  const output = outputTo(slow)
  let written = false
  const writing = output.write('more than four').then(() => {
    written = true
  })
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(written).toBe(false)
  takeMore()
  await writing
  expect(written).toBe(true)
})

function failingWith(code: string): Writable {
  return new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => setImmediate(() => done(Object.assign(new Error(code), { code }))),
  })
}

test('a reader that is gone ends a write that waits, and every later one', async () => {
  const output = outputTo(failingWith('EPIPE'))
  await expect(output.write('line')).rejects.toBeInstanceOf(ReaderGone)
  await expect(output.write('line')).rejects.toBeInstanceOf(ReaderGone)
  await expect(output.flush()).rejects.toBeInstanceOf(ReaderGone)
})

test('any other failure is told', async () => {
  const output = outputTo(failingWith('ENOSPC'))
  await expect(output.write('line')).rejects.toEqual(
    new Failure('The output cannot be written (ENOSPC).', { cause: expect.objectContaining({ code: 'ENOSPC' }) }),
  )
})
