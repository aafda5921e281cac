/** SQL: conditions on rows of a lead's history. */
import type { LeadEventFields, LeadEventKind } from '../../../../domain/events/lead-events.ts'
import type { Dialect } from '../../sql.ts'

/** SQL: events of these kinds. */
export const isEvent = (...kinds: readonly LeadEventKind[]): string =>
  `history.event IN (${kinds.map(kind => `'${kind}'`).join()})`

/** SQL: a field of such events. */
export const eventField = <Kind extends LeadEventKind>(
  { jsonField }: Dialect,
  _kind: Kind,
  field: keyof LeadEventFields[Kind] & string,
): string => jsonField('history.detail', field)
