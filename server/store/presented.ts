/** What visitors were shown: consent texts and questionnaires, each kept once per version, for good. */
import { versionOf } from '../presented-version.ts'
import type { SqlPort } from './sql.ts'

export interface PresentedStore {
  /** Keeps a consent text, and answers with its version. */
  rememberConsent(presented: string): Promise<string>
  /** The same for the questions as visitors are asked them. */
  rememberQuestionnaire(presented: string): Promise<string>
  /** The versions of all texts that any process ever remembered. */
  presentedVersions(): Promise<{ readonly consents: readonly string[]; readonly questionnaires: readonly string[] }>
}

type PresentedTable = 'consents' | 'questionnaires'

export function createPresented({ read, transact }: SqlPort): PresentedStore {
  async function remember(table: PresentedTable, presented: string): Promise<string> {
    const version = versionOf(presented)
    await transact((sql, at) =>
      sql(
        `INSERT INTO ${table} (version, presented, first_seen_at) VALUES ($1, $2, $3) ON CONFLICT (version) DO NOTHING`,
        [version, presented, at],
      ),
    )
    return version
  }
  const versionsIn = async (table: PresentedTable) =>
    (await read<{ version: string }>(`SELECT version FROM ${table}`)).map(({ version }) => version)
  return {
    rememberConsent: presented => remember('consents', presented),
    rememberQuestionnaire: presented => remember('questionnaires', presented),
    presentedVersions: async () => ({
      consents: await versionsIn('consents'),
      questionnaires: await versionsIn('questionnaires'),
    }),
  }
}
