/**
 * What brings a store from 0.5.3 to the schema in `schema.ts`, step by step. Each step is one text of SQL per engine. A store
 * in the field may have taken the earlier ones, so steps are only ever added.
 */
import type { SchemaWords } from '../schema-words.ts'
import { contactColumn } from './contact-column.ts'
import { dailyRollup } from './daily-rollup.ts'
import { desk } from './desk.ts'
import { lifecycle } from './lifecycle.ts'
import { search } from './search.ts'

export type Upgrade = (words: SchemaWords) => string

/** The store of 0.5.3. Older ones are upgraded by 0.5.3 first. */
export const OLDEST_VERSION = 19

const upgrades: readonly Upgrade[] = [
  contactColumn, // 20
  desk, // 21
  dailyRollup, // 22
  search, // 23
  lifecycle, // 24
]

export const STORE_VERSION = OLDEST_VERSION + upgrades.length

/** What is still to do for a store of this version, with the version that each step makes. */
export function upgradesFrom(
  version: number,
  words: SchemaWords,
): readonly { readonly to: number; readonly sql: string }[] {
  return upgrades
    .map((upgrade, index) => ({ to: OLDEST_VERSION + index + 1, sql: upgrade(words) }))
    .filter(({ to }) => to > version)
}

export const TOO_OLD = 'Upgrade to 0.5.3 first: start its server once, stop it, and then start this version.'
