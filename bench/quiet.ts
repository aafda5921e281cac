/** Waits for moments when nothing else keeps the processor busy: another program's work would be measured as ours. */
import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'

const LOOK_MS = 400
const LONGEST_WAIT_MS = 10_000
const QUIET_SHARE = 0.8

let moments = 0
let busyMoments = 0

/** A browser that has just opened a window is busy with itself as well; this waits for that to end, too. */
export async function quietMoment(longestWaitMs = LONGEST_WAIT_MS): Promise<void> {
  moments++
  for (const end = Date.now() + longestWaitMs; Date.now() < end; ) {
    if ((await idleShare()) >= QUIET_SHARE) return
  }
  busyMoments++
}

/** Says how far the figures printed so far can be trusted, and starts to count afresh. */
export function reportBusyMoments(): void {
  if (busyMoments > 0) {
    console.log(`  ${busyMoments} of ${moments} measurements began while this computer was BUSY: times are too long.\n`)
  }
  moments = 0
  busyMoments = 0
}

async function idleShare(): Promise<number> {
  const before = processorTimes()
  await setTimeout(LOOK_MS)
  const after = processorTimes()
  return (after.idle - before.idle) / (after.all - before.all)
}

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map(cpu => cpu.times)
  return {
    idle: times.reduce((sum, { idle }) => sum + idle, 0),
    all: times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0),
  }
}
