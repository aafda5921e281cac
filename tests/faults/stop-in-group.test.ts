/** `npm start` is told to stop as a process group: the signal comes twice, and nothing under way is cut off. */
import { expect, test } from 'vitest'
import { stopInGroup } from '../support/stop-in-group.ts'

test.concurrent.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to the group: every download is whole, the delivery is recorded, and the exit code is 0',
  async signal => {
    const { code, missingBytes, deliveries, said } = await stopInGroup(signal)
    expect({ code, missingBytes, deliveries }).toEqual({
      code: 0,
      missingBytes: [0, 0, 0, 0, 0],
      deliveries: [{ state: 'delivered', attempts: 1 }],
    })
    expect(said).toContain('"drained":true')
  },
  30_000,
)
