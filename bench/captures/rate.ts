/** How many calls a second, and how long each takes: a fixed number of them is kept under way. */
export const CALLERS = 32
export const WARM_UP_MS = 3000
export const MEASURE_MS = 3000

export interface Rate {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** What one process saw: how long each of its calls took, and over which time. */
export interface Calls {
  readonly times: readonly number[]
  readonly seconds: number
}

/** Keeps so many calls under way until the time is over. What begins during the warm-up is not counted. */
export async function timeCalls(work: () => Promise<void>, callers: number): Promise<Calls> {
  const times: number[] = []
  const counting = performance.now() + WARM_UP_MS
  const end = counting + MEASURE_MS
  const loop = async () => {
    for (let before = performance.now(); before < end; before = performance.now()) {
      await work()
      if (before >= counting) times.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: callers }, loop))
  return { times, seconds: (performance.now() - counting) / 1000 }
}

export function rateOf(processes: readonly Calls[]): Rate {
  const times = processes.flatMap(({ times }) => times).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const perSecond = processes.reduce((sum, each) => sum + each.times.length / each.seconds, 0)
  return { perSecond, p50: at(0.5), p99: at(0.99) }
}

export async function measureRate(work: () => Promise<void>, callers = CALLERS): Promise<Rate> {
  return rateOf([await timeCalls(work, callers)])
}
