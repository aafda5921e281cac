/** One process that writes to PostgreSQL as fast as it can: bare single INSERTs, or captures by the store. Told by IPC. */
import pg from 'pg'
import { createLeadId } from '../../server/store/lead-id.ts'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { personKeyOf } from '../../server/store/repeats.ts'
import { rememberWhatIsPresented, someSubmission } from './people.ts'
import { BARE_TABLE } from './postgres.ts'
import { timeCalls } from './rate.ts'

export interface PostgresWork {
  readonly what: 'bare inserts' | 'captures'
  readonly url: string
  readonly callers: number
  /** For bare inserts; the store has a pool of its own. */
  readonly poolSize: number
}

/** All of a lead, as the store writes it, in a table without any index but its primary key. */
async function insertBare({ url, callers, poolSize }: PostgresWork) {
  const pool = new pg.Pool({ connectionString: url, max: poolSize })
  // At the end the database may be gone before the last connection is.
  pool.on('error', () => {})
  const calls = await timeCalls(async () => {
    const { contact, page, clientAddress, userAgent, consentVersion } = someSubmission()
    const receivedAt = Date.now()
    const id = createLeadId(receivedAt)
    await pool.query(
      `INSERT INTO ${BARE_TABLE} (id, received_at, state, first_name, last_name, date_of_birth, email, phone, person_key,
         client_address, user_agent, page, campaign, consent_version)
       VALUES ($1, $2, 'accepted', $3, $4, $5, $6, $7, $8, $9, $10, $11, '{}', $12)`,
      [
        id,
        receivedAt,
        contact.firstName,
        contact.lastName,
        contact.dateOfBirth,
        contact.email,
        contact.phone,
        personKeyOf(contact),
        clientAddress,
        userAgent,
        page,
        consentVersion,
      ],
    )
  }, callers)
  await pool.end()
  return calls
}

async function capture({ url, callers }: PostgresWork) {
  const store = await openPostgresStore(url)
  await rememberWhatIsPresented(store)
  const calls = await timeCalls(async () => void (await store.capture(someSubmission())), callers)
  await store.close()
  return calls
}

process.once('message', async (work: PostgresWork) => {
  const calls = work.what === 'captures' ? await capture(work) : await insertBare(work)
  process.send?.(calls, undefined, {}, () => process.disconnect?.())
})
