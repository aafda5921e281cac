import { expect, test } from 'vitest'
import { DAY } from '../../../../domain/durations.ts'
import { onSqlite } from '../../../../tests/support/store-engines.ts'

onSqlite('the store’s backups', harness => {
  test('have no age if the clock was ahead when the last one was made, until the next one', async () => {
    const { store } = harness
    await store.recordBackup({ leads: 1, sameDisk: false })
    expect(await store.backupStatus()).toMatchObject({ ageMs: expect.any(Number), isTimeWrong: false })
    await harness.change(`UPDATE last_backup SET made_at = made_at + ${2000 * DAY}`)
    expect(await store.backupStatus()).toMatchObject({ ageMs: null, wasTried: true, isTimeWrong: true })
    await store.recordBackup({ leads: 1, sameDisk: false })
    expect(await store.backupStatus()).toMatchObject({ isTimeWrong: false })
  })
})
