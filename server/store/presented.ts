/** What visitors were shown: consent texts and questionnaires, each kept once per version, for good. */
import { createHash } from 'node:crypto'
import { insert, type SqlPort } from './sql.ts'

type PresentedTable = 'consents' | 'questionnaires'

/** The hash of a text shown to visitors: the same in the page, the request, and the store. */
export function versionOf(presented: string): string {
  return createHash('sha256').update(presented).digest('hex')
}

export function createPresented({ read, transact }: SqlPort) {
  const remember = (table: PresentedTable) => async (presented: string) => {
    const version = versionOf(presented)
    await transact((sql, at) =>
      insert(sql, table, { version, presented, first_seen_at: at }, 'ON CONFLICT (version) DO NOTHING'),
    )
    return version
  }
  const versionsIn = async (table: PresentedTable) =>
    (await read<{ version: string }>(`SELECT version FROM ${table}`)).map(({ version }) => version)
  return {
    /** Keeps a consent text, and answers with its version. */
    rememberConsent: remember('consents'),
    /** The same for the questions as visitors are asked them. */
    rememberQuestionnaire: remember('questionnaires'),
    /** The versions of all texts that any process ever remembered. */
    presentedVersions: async () => ({
      consents: await versionsIn('consents'),
      questionnaires: await versionsIn('questionnaires'),
    }),
  }
}
