/** Earlier and later leads of the same person. */
import { Link } from 'wouter'
import type { LeadAnswer } from '../../api/lead.ts'
import { useTimes } from '../times.ts'
import { Card } from '../ui/card.tsx'
import { pageName, shortened } from '../words/names.tsx'
import { LeadBadge } from '../words/states.tsx'

export function OtherLeads({ lead }: { readonly lead: LeadAnswer }) {
  const times = useTimes()
  if (lead.others.length === 0) return null
  return (
    <Card title="Other leads of this person">
      <ul className="-mx-2 flex flex-col">
        {lead.others.map(other => (
          <li key={other.id}>
            <Link
              href={`/leads/${other.id}`}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-xl p-2 hover:bg-mist"
            >
              <span>
                <span className="font-bold underline underline-offset-4">{times.short(other.receivedAt)}</span>{' '}
                <span className="text-small text-ink-soft">
                  {other.receivedAt < lead.receivedAt ? 'earlier' : 'later'}, {shortened(pageName(other.page), 60)}
                </span>
              </span>
              <LeadBadge state={other.state} delivery={other.delivery} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
