/** Maps URLs to views. */
import type { ComponentType } from 'react'
import { messageOf } from './client.ts'
import { Account } from './features/account/account.tsx'
import { Campaigns } from './features/campaigns/campaigns.tsx'
import { DoNotCallList } from './features/do-not-call/do-not-call-list.tsx'
import { Health } from './features/health/health.tsx'
import { Lead } from './features/lead/lead.tsx'
import { Leads } from './features/leads/leads.tsx'
import { Setup } from './features/setup/setup.tsx'
import { Invitation, SignIn } from './features/sign-in/sign-in.tsx'
import { Today } from './features/today/today.tsx'
import { usePath } from './router.tsx'
import { SessionContext, useSessionQuery } from './session.ts'
import { Crashed, NotFound } from './shell/page.tsx'
import { Shell } from './shell/shell.tsx'

export function App() {
  const path = usePath()
  const session = useSessionQuery()
  if (path === '/invitation') return <Invitation />
  if (session.data) {
    return (
      <SessionContext value={session.data}>
        <Shell>
          <View path={path} />
        </Shell>
      </SessionContext>
    )
  }
  if (session.data === null) return <SignIn />
  if (!session.isError) return null
  return (
    <Crashed title="The desk isn’t responding" onRetry={() => session.refetch()}>
      {messageOf(session.error)}
    </Crashed>
  )
}

const views = new Map<string, ComponentType>([
  ['/', Today],
  ['/leads', Leads],
  ['/campaigns', Campaigns],
  ['/leads/do-not-call', DoNotCallList],
  ['/health', Health],
  ['/setup', Setup],
  ['/you', Account],
])

function View({ path }: { readonly path: string }) {
  const Found = views.get(path)
  if (Found) return <Found />
  const id = /^\/leads\/([^/]+)$/.exec(path)?.[1]
  return id === undefined ? <NotFound /> : <Lead key={id} id={id} />
}
