/** The consent wording and questionnaires shown to visitors or read on the phone, stored permanently, once per version. */
import { versionOf } from '../facts/leads/hashes.ts'
import { insert, type SqlPort } from '../sql.ts'

type PresentedTable = 'consents' | 'questionnaires'

export function createPresented({ read, transact }: SqlPort) {
  const save = (table: PresentedTable) => async (presented: string) => {
    const version = versionOf(presented)
    await transact(tx =>
      insert(tx, table, { version, presented, firstSeenAt: tx.at }, 'ON CONFLICT (version) DO NOTHING'),
    )
    return version
  }
  const versionsIn = async (table: PresentedTable) =>
    (await read<{ version: string }>(`SELECT version FROM ${table} WHERE presented NOT LIKE '{"spoken"%'`)).map(
      ({ version }) => version,
    )
  return {
    saveConsentText: save('consents'),
    saveQuestionnaire: save('questionnaires'),
    /** A review compared this consent with the English text in it. */
    recordReviewedTranslation: (version: string) =>
      transact(async tx => {
        await insert(tx, 'reviewed_translations', { version }, 'ON CONFLICT (version) DO NOTHING')
      }),
    /** Versions of every consent and questionnaire that any process showed on a page. */
    presentedVersions: async () => ({
      consents: await versionsIn('consents'),
      questionnaires: await versionsIn('questionnaires'),
    }),
  }
}
