/** Maps URLs to views. The call is in the first script; other views load when they're opened. */
import { type ComponentType, lazy, Suspense } from 'react'
import type { DeskPath } from '../routes.ts'
import { messageOf } from './client.ts'
import { AddPerson } from './features/calls/add-person.tsx'
import { Calls } from './features/calls/call-list.tsx'
import { useIsAgent } from './features/calls/call-queries.ts'
import { Lead } from './features/lead/lead.tsx'
import { Invitation, SignIn } from './features/sign-in/sign-in.tsx'
import { usePath } from './router.tsx'
import { SessionContext, useSession, useSessionQuery } from './session.ts'
import { Crashed, NotFound } from './shell/page.tsx'
import { Shell } from './shell/shell.tsx'
import { Loading } from './ui/placeholders.tsx'
import { ToastProvider } from './ui/toast.tsx'

const Account = lazy(async () => ({ default: (await import('./features/account/account.tsx')).Account }))
const Campaigns = lazy(async () => ({ default: (await import('./features/campaigns/campaigns.tsx')).Campaigns }))
const CheckRecord = lazy(async () => ({ default: (await import('./features/lead/check-record.tsx')).CheckRecord }))
const DoNotCallList = lazy(async () => ({
  default: (await import('./features/do-not-call/do-not-call-list.tsx')).DoNotCallList,
}))
const FirstDay = lazy(async () => ({ default: (await import('./features/account/first-day.tsx')).FirstDay }))
const Health = lazy(async () => ({ default: (await import('./features/health/health.tsx')).Health }))
const Leads = lazy(async () => ({ default: (await import('./features/leads/leads.tsx')).Leads }))
const People = lazy(async () => ({ default: (await import('./features/people/people.tsx')).People }))
const Setup = lazy(async () => ({ default: (await import('./features/setup/setup.tsx')).Setup }))
const Today = lazy(async () => ({ default: (await import('./features/today/today.tsx')).Today }))

export function App() {
  const path = usePath()
  const session = useSessionQuery()
  if (path === '/invitation') return <Invitation />
  if (session.data) {
    return (
      <SessionContext value={session.data}>
        {/* Here, so messages with names end with the session: the next person may sign in on the same screen. */}
        <ToastProvider>
          <Shell>
            <Suspense fallback={<Loading what="the page" />}>
              <View path={path} />
            </Suspense>
          </Shell>
        </ToastProvider>
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

/** People who call start with the calls; everyone else, with the figures. */
function Start() {
  const isAgent = useIsAgent()
  return isAgent ? <Calls /> : <Today />
}

const views: Readonly<Record<Exclude<DeskPath, '/invitation' | '/leads/:id'>, ComponentType>> = {
  '/': Start,
  '/calls': Calls,
  '/calls/add': AddPerson,
  '/today': Today,
  '/leads': Leads,
  '/leads/do-not-call': DoNotCallList,
  '/campaigns': Campaigns,
  '/health': Health,
  '/setup': Setup,
  '/people': People,
  '/check-record': CheckRecord,
  '/you': Account,
  '/first-day': FirstDay,
}

function View({ path }: { readonly path: string }) {
  const { callList } = useSession()
  if (path.startsWith('/calls') && !callList) return <NotFound />
  const Found = new Map(Object.entries(views)).get(path)
  if (Found) return <Found />
  const id = /^\/leads\/([^/]+)$/.exec(path)?.[1]
  return id === undefined ? <NotFound /> : <Lead key={id} id={id} />
}
