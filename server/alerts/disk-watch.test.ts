import type { StatsFs } from 'node:fs'
import { expect, test } from 'vitest'
import { checkDisks, roomIn, watchedDisks } from './disk-watch.ts'

const gigabytes = (free: number, of: number) =>
  (() => ({ bavail: free, blocks: of, bsize: 1024 ** 3 }) as StatsFs) as never

test.each([
  [3, 20, false],
  [2, 10, false],
  [1.9, 10, true],
  [9, 100, true],
  [10, 100, false],
])('%d GB free of %d: low is %s', (free, of, isLow) => {
  expect(roomIn('/', gigabytes(free, of))).toMatchObject({ isLow })
})

test('the alert names the disk, the store’s first; a folder that doesn’t exist has none', () => {
  const raised: string[] = []
  const alerts = { raise: (code: string, text: string) => void raised.push(`${code} ${text}`) }
  const disks = watchedDisks({ databaseUrl: null, dataDir: '/data' })
  checkDisks(alerts, disks, () => ({ free: 1024 ** 3, isLow: true }))
  expect(raised).toEqual([
    expect.stringMatching(/^disk_low The disk with the store \(\/data\) has only 1\.0 GB free\./),
  ])
  checkDisks(alerts, disks, folder => ({ free: 1, isLow: folder === '/var/log' }))
  expect(raised[1]).toContain('The disk with logs (/var/log)')
  checkDisks(alerts, [{ what: 'logs', folder: '/no-such-folder' }])
  expect(raised).toHaveLength(2)
  expect(watchedDisks({ databaseUrl: 'postgres://', dataDir: '/data' }).map(({ what }) => what)).toEqual(['logs'])
})
