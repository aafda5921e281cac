/** "You called NAME at 1:12 PM. What happened?", or "NAME called us …", on every page, so no call stays without an outcome. */
import type { InferResponseType } from 'hono/client'
import type { api } from '../../client.ts'
import { fullName, truncate } from '../../format/names.tsx'
import { Link, usePath } from '../../router.tsx'
import { useTimes } from '../../times.ts'
import { Banner } from '../../ui/banner.tsx'
import { AT_OUTCOME, useCallState, useUnfinishedCalls } from './call-queries.ts'

type UnfinishedCall = InferResponseType<typeof api.calls.unfinished.$get>['calls'][number]

export function UnfinishedBanner() {
  const path = usePath()
  const here = useCallState(path.replace('/leads/', ''), { enabled: false }).data?.people ?? []
  const isHere = ({ leadId, incoming }: UnfinishedCall) =>
    path === `/leads/${leadId}` ||
    // Someone else with the same number called: the outcome is saved on their page.
    here.some(({ leads }) => leads.includes(leadId)) ||
    (incoming && path === '/calls/add')
  const calls = (useUnfinishedCalls().data?.calls ?? []).filter(call => !isHere(call))
  const [first] = calls
  return (
    <Banner icon="phone">
      {calls.length > 1 ? (
        // One line, so they leave the screen to the page. Folded again on the next one.
        <details key={path}>
          <summary className="font-bold">{calls.length} calls need an outcome</summary>
          <ul>
            {calls.map(call => (
              <li key={call.leadId} className="py-1">
                <WhatHappened call={call} />
              </li>
            ))}
          </ul>
        </details>
      ) : first ? (
        <WhatHappened call={first} />
      ) : null}
    </Banner>
  )
}

function WhatHappened({ call: { leadId, at, incoming, ...person } }: { readonly call: UnfinishedCall }) {
  const times = useTimes()
  return (
    <>
      {incoming ? null : 'You called '}
      <bdi className="font-bold">{truncate(fullName(person), 60)}</bdi> {incoming ? 'called us at' : 'at'}{' '}
      {times.near(at, Date.now())} office time.{' '}
      <Link href={`/leads/${leadId}${AT_OUTCOME}`} className="inline-block font-bold underline underline-offset-4">
        What happened?
      </Link>
    </>
  )
}
