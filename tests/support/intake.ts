/** The production app with its own store, and leads sent the way the pages' script sends them. */
import { leadQuery } from '../../domain/leads/lead.ts'
import { copyIn } from '../../server/http/site-manifest.ts'
import { OWN_LEAD_ENDPOINT } from '../../server/settings/config.ts'
import { versionOf } from '../../server/store/facts/leads/hashes.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { yearOfBirth } from './answers.ts'
import { rowsOf } from './lead-fixtures.ts'
import { type SiteOptions, startSite } from './site-server.ts'

export type IntakeOptions = Pick<SiteOptions, 'env' | 'change'>
export type Intake = Awaited<ReturnType<typeof startIntake>>

/** Without a hostname in SITE_URL. Ages aren't checked unless a test asks for it, because they change with the date. */
export async function startIntake({ env, change = site => site }: IntakeOptions = {}) {
  const server = await startSite({
    ownStore: true,
    env: { SITE_URL: '', ...env },
    change: site => change({ ...site, copy: { ...site.copy, ages: null } }),
  })
  const shownIn = (language: string) => {
    const { consent, questionnaire } = copyIn(server.site.copy, language)
    return { consentVersion: versionOf(consent), questionnaireVersion: versionOf(questionnaire) }
  }
  return {
    ...server,
    endpoint: `${server.url}${OWN_LEAD_ENDPOINT}`,
    ...shownIn('en'),
    spanish: shownIn('es'),
    /** All rows in a table, oldest lead first. */
    rows: (table: 'leads' | 'history' | 'outbox') =>
      table === 'leads'
        ? server.storedLeads()
        : rowsOf(storeFile(server.dataDir), `SELECT * FROM ${table} ORDER BY lead_id`),
    /** Logged lines with this code or level. */
    linesWith: (text: string) =>
      server.logged.map(line => JSON.parse(line)).filter(({ code, level }) => code === text || level === text),
  }
}

export const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: `${yearOfBirth}-12-10`,
  email: 'ada@example.org',
  phone: '(555) 210-2030',
} as const

export function sendLead(
  {
    endpoint,
    consentVersion,
    questionnaireVersion,
  }: Pick<Intake, 'endpoint' | 'consentVersion' | 'questionnaireVersion'>,
  contact: Partial<Record<keyof typeof ada, string>> = {},
  headers: Record<string, string> = {},
  extraQuery = '',
): Promise<Response> {
  return fetch(`${endpoint}?${leadQuery({ ...ada, ...contact })}${extraQuery}`, {
    headers: {
      accept: 'application/json',
      'sec-fetch-site': 'same-origin',
      'x-consent-version': consentVersion,
      'x-questionnaire-version': questionnaireVersion,
      ...headers,
    },
  })
}
