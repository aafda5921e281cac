/** What the bodies of several requests consist of. */
import * as v from 'valibot'
import { isCalendarDate } from '../../domain/dates.ts'
import { MAX_REASON_LENGTH } from '../../domain/text/text.ts'

export const text = (max: number) => v.pipe(v.string(), v.trim(), v.maxLength(max))
export const requiredText = (max: number) => v.pipe(text(max), v.nonEmpty())
/** Colleagues can read it. */
export const reason = requiredText(MAX_REASON_LENGTH)
/** Of a lead, a person, a note, or a call. */
export const id = v.pipe(v.string(), v.maxLength(100))
/** 2030-01-31, in the operator's time zone. */
export const day = v.pipe(
  v.string(),
  v.check(typed => isCalendarDate(typed)),
)
/** A campaign's key, which is JSON. */
export const campaignKeyText = v.pipe(v.string(), v.maxLength(1000))
/** A phone number or an email address on the do-not-call list, or to be added to it. */
export const contact = v.pipe(v.string(), v.maxLength(320))
