/** Calling clocks by the operator's hours. Kept, because they remember when places are open. */
import { type CallingClock, type CallingHours, createCallingClock } from '../../../../domain/calling/hours.ts'
import { createWaitingTime, type WaitingTime } from '../../../../domain/calling/waiting-time.ts'

const clocks = new Map<string, { readonly clock: CallingClock; readonly waitingTime: WaitingTime }>()

function known(hours: CallingHours) {
  const key = JSON.stringify(hours)
  const found = clocks.get(key)
  if (found) return found
  const clock = createCallingClock(hours)
  const created = { clock, waitingTime: createWaitingTime(clock) }
  clocks.set(key, created)
  return created
}

export const clockOf = (hours: CallingHours): CallingClock => known(hours).clock

export const waitingTimeOf = (hours: CallingHours): WaitingTime => known(hours).waitingTime
