/**
 * Says by when we'll call, from the office's hours (site/static/callback-promise.ts) and the visitor's clock, or nothing. A promise
 * needs an hour in which the office is open and it's between 10 and 6 where the visitor is, when calls are allowed in every state.
 * The history entry keeps the first promise, so reloading the page later doesn't move it.
 */
const line = document.querySelector<HTMLElement>('[data-callbacks]')
const [first = 0, firstDay = 0, length = 0, ...steps] = `${line?.dataset['callbacks']}`.split(' ').map(Number)
const now = Date.now() / 60_000

/** Minutes since 1970 at an hour, on the visitor's clock. Days are counted since 1970. */
function at(day: number, hour: number): number {
  const date = new Date(day * 864e5)
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), hour).getTime() / 60_000
}

let [closing, day]: readonly [number, number] = history.state?.callback ?? [0, 0]
if (!closing) {
  let [next, date] = [first, firstDay]
  for (const step of [0, ...steps]) {
    next += step
    date += Math.round(step / 1440)
    if (Math.min(next, at(date, 18)) - Math.max(now, next - length, at(date, 10)) < 60) continue
    ;[closing, day] = [next, date]
    break
  }
  history.replaceState({ callback: [closing, day] }, '')
}

const today = new Date()
const daysAhead = day - Date.UTC(today.getFullYear(), today.getMonth(), today.getDate()) / 864e5
if (line && now < closing && daysAhead < 7) {
  const weekday = () =>
    new Date(day * 864e5).toLocaleDateString(document.documentElement.lang, { weekday: 'long', timeZone: 'UTC' })
  const { today: sameDay = '', tomorrow = '', later = '' } = line.dataset
  line.textContent = [sameDay, tomorrow][daysAhead] ?? later.replace('{day}', weekday())
  line.hidden = false
}
