/** What lawyers reviewed, for a new machine: kept permanently, once per version, and in every backup. */
import type { ReviewedText } from '../../../domain/text/text-blocks.ts'
import { versionOf } from '../facts/leads/hashes.ts'
import { insert, type SqlPort } from '../sql.ts'

export function createReviewedTexts({ read, transact }: SqlPort) {
  return {
    saveReviewedTexts: (texts: readonly ReviewedText[]) =>
      transact(async tx => {
        for (const text of texts) {
          const presented = JSON.stringify(text)
          const row = { version: versionOf(presented), presented, savedAt: tx.at }
          await insert(tx, 'reviewed_texts', row, 'ON CONFLICT (version) DO NOTHING')
        }
      }),
    /** Later ones last. */
    reviewedTexts: async (): Promise<readonly ReviewedText[]> => {
      const rows = await read<{ presented: string }>('SELECT presented FROM reviewed_texts ORDER BY saved_at, version')
      return rows.map(({ presented }) => JSON.parse(presented))
    },
  }
}
