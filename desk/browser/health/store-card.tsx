/** How large the store is and how fast it grows, and how old the last backup is. */
import type { HealthAnswer } from '../../api/health.ts'
import { ago, useTimes } from '../times.ts'
import { Card } from '../ui/card.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { bytes, counted, figure } from '../words/figures.ts'

export function StoreCard({ health: { store, backup } }: { readonly health: HealthAnswer }) {
  const times = useTimes()
  return (
    <Card title="Store and backup">
      <Facts>
        <Fact name="Kept in">{store.engine}</Fact>
        <Fact name="Leads">
          {figure(store.leads)}; {figure(store.leadsLast7Days)} in 7 days, {figure(store.leadsLast30Days)} in 30
        </Fact>
        <Fact name="Size">
          {bytes(store.bytes)}
          {store.bytesPerMonth === null ? '' : `, about ${bytes(store.bytesPerMonth)} more each month`}
        </Fact>
        {store.freeBytes === null ? null : <Fact name="Room left">{bytes(store.freeBytes)} on the disk</Fact>}
        <Fact name="Last backup">
          {backup
            ? `${ago(backup.madeAt, Date.now())} (${times.short(backup.madeAt)}), ${counted(backup.leads, 'lead')}`
            : 'None is known: make one with npm run leads -- backup'}
        </Fact>
      </Facts>
    </Card>
  )
}
