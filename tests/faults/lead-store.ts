/** A real store in a temporary folder, and leads that are captured into it as the receiver captures them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCapture } from '../../server/leads/capture.ts'
import { rememberConsent } from '../../server/leads/consents.ts'
import type { Database, Row, Value } from '../../server/leads/database.ts'
import { openSqliteDatabase } from '../../server/leads/sqlite-database.ts'

export interface LeadStore {
  readonly database: Database
  remove(): Promise<void>
}

export function openLeadStore(): LeadStore {
  const folder = mkdtempSync(join(tmpdir(), 'leads-'))
  const database = openSqliteDatabase(join(folder, 'leads.sqlite'))
  return {
    database,
    remove: async () => {
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export interface NewLead {
  /** Tells leads apart: the same person twice would be a repeat, which is not delivered. */
  readonly name: string
  readonly certificateId?: string
  readonly at?: number
  readonly onAccepted?: () => void
}

/** Answers with the lead's id once the lead and its delivery are on disk. */
export async function captureLead(database: Database, lead: NewLead): Promise<string> {
  const { name, certificateId, at = Date.now(), onAccepted = () => {} } = lead
  const consentVersion = await rememberConsent(database, 'I agree', at)
  const capture = createCapture(database, { now: () => at, onAccepted })
  const { id } = await capture({
    contact: contactOf(name),
    page: '/',
    campaign: {},
    clientAddress: '192.0.2.1',
    userAgent: 'test',
    certificate: certificateId ? { kind: 'present', id: certificateId } : { kind: 'none' },
    consentVersion,
    holdReason: null,
  })
  return id
}

export function contactOf(name: string) {
  return {
    firstName: name,
    lastName: 'Lovelace',
    dateOfBirth: '1965-12-10',
    email: `${name}@example.org`,
    phone: '(555) 010-0199',
  }
}

export function query(database: Database, text: string, parameters: readonly Value[] = []): Promise<readonly Row[]> {
  return database.read(sql => sql(text, parameters))
}
