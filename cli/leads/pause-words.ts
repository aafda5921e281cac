/** How a pause of deliveries is told to the operator. */
import type { Calendar } from '../../server/calendar.ts'
import { plain } from '../../server/export/plain-text.ts'
import type { DeliveryPause } from '../../server/store/delivery-pause.ts'

export function pauseInWords({ since, by, reason }: DeliveryPause, calendar: Calendar): string {
  const why = reason === '' ? '' : ` (${plain(reason)})`
  return `Deliveries have been paused since ${calendar.inWords(since)} by ${plain(by)}${why}.`
}
