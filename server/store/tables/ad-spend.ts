/** What ads cost, per campaign and month. Rows are only added, so who changed what stays on record. */
import type { Spend } from '../../../domain/campaigns/ad-spend.ts'
import { insert, type SqlPort } from '../sql.ts'

export interface EnteredSpend extends Spend {
  /** Counts up; the last one of a campaign and month counts. */
  readonly n: number
  readonly by: string
  readonly at: number
}

export function createAdSpend({ read, transact }: SqlPort) {
  return {
    /** Returns how many amounts changed. */
    enterSpend: ({ entries, by }: { readonly entries: readonly Spend[]; readonly by: string }) =>
      transact(async tx => {
        await tx.dialect.lockKeys(tx, ['ad spend'])
        let changed = 0
        for (const { campaign, month, cents } of entries) {
          const [last] = await tx<{ n: number; cents: number }>(
            'SELECT n, cents FROM ad_spend WHERE campaign = $1 AND month = $2 ORDER BY n DESC LIMIT 1',
            [campaign, month],
          )
          if ((last?.cents ?? 0) === cents) continue
          const row = { campaign, month, n: (last?.n ?? 0) + 1, cents, enteredBy: by, enteredAt: tx.at }
          await insert(tx, 'ad_spend', row)
          changed++
        }
        return changed
      }),

    /** Every amount that was entered for these months, in order. */
    adSpend: ({ from, to }: { readonly from: string; readonly to: string }) =>
      read<EnteredSpend>(
        `SELECT campaign, month, n, cents, entered_by AS "by", entered_at AS at FROM ad_spend
         WHERE month >= $1 AND month <= $2 ORDER BY campaign, month, n`,
        [from, to],
      ),
  }
}

/** Without what was changed since. */
export const currentSpend = (entered: readonly EnteredSpend[]): readonly EnteredSpend[] =>
  entered.filter(({ campaign, month }, index) => {
    const next = entered[index + 1]
    return next?.campaign !== campaign || next.month !== month
  })
