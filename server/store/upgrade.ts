/**
 * The chain of upgrades from each released version to the schema in `schema.ts`; the test compares the two. Stores older than
 * 0.7.0 must be upgraded with 0.7.0 first. To change the schema after a release, raise STORE_VERSION and add a step.
 */
import { type SchemaDdl, STORE_VERSION } from './schema.ts'
import { StoreUnusable } from './store-errors.ts'
import { upgradeTo090 } from './upgrades/to-0-9-0.ts'
import type { UsedSettings } from './upgrades/used-settings.ts'

export const VERSION_OF_0_7_0 = 22

interface Step {
  readonly upgrade: (ddl: SchemaDdl, settings: UsedSettings) => string
  /** Free disk space that a SQLite store needs for this step and its log, in times its size. Measured, then rounded up. */
  readonly freeSpace: number
}

/**
 * Each step upgrades a store from its version to the next one's. What a step that shipped does never changes: the tables that it creates
 * are in schema.ts, so before one of those changes, the step gets a copy of it.
 */
const steps: ReadonlyMap<number, Step> = new Map([[VERSION_OF_0_7_0, { upgrade: upgradeTo090, freeSpace: 1.5 }]])

/** Whether a store of this version has to be upgraded. */
export const isOlder = (version: number): boolean => steps.has(version)

/** SQL statements that upgrade a store of this version. Run them in one transaction, in order. */
export function upgradesFrom(version: number, ddl: SchemaDdl, settings: UsedSettings): readonly string[] {
  return [...steps]
    .filter(([from]) => version !== 0 && from >= version)
    .map(([, { upgrade }]) => upgrade(ddl, settings))
}

/** In times the store's size. One step's space is the next one's. */
export function freeSpaceFor(version: number): number {
  return Math.max(0, ...[...steps].filter(([from]) => from >= version).map(([, { freeSpace }]) => freeSpace))
}

/** `subject`: "The store at FILE", for example. */
export function verifyKnown(version: number, subject: string): void {
  if (version > STORE_VERSION) {
    throw new StoreUnusable(
      `${subject} was upgraded by a newer version of this program (store version ${version}; this one supports ${STORE_VERSION}). Install that version.`,
    )
  }
  if (version !== 0 && version !== STORE_VERSION && !isOlder(version)) {
    throw new StoreUnusable(
      `${subject} is older than 0.7.0, or from a development version (store version ${version}). Upgrade to 0.7.0 first: start its server once, stop it, and then start this version. Stores from development versions can’t be upgraded.`,
    )
  }
}

/** For programs other than the server, which don't upgrade the store. */
export function verifyCurrent(version: number, subject: string): void {
  if (version === STORE_VERSION) return
  throw new StoreUnusable(`${subject} is from an older version. Start the server once to upgrade it.`)
}
