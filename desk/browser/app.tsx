/** Which view is shown at which address. */
import { lazy, Suspense, useEffect } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { messageOf } from './client.ts'
import { Lead } from './features/lead/lead.tsx'
import { Leads } from './features/leads/leads.tsx'
import { Today } from './features/today/today.tsx'
import { SessionContext, useSessionQuery } from './session.ts'
import { NotFound } from './shell/page.tsx'
import { Shell } from './shell/shell.tsx'
import { Problem } from './ui/placeholders.tsx'

/** One script more, for what people rarely need. It is fetched early, so that it is there when the network isn't. */
const rest = () => import('./features/rest.ts')
const Health = lazy(async () => ({ default: (await rest()).Health }))
const Account = lazy(async () => ({ default: (await rest()).Account }))
const SignIn = lazy(async () => ({ default: (await rest()).SignIn }))
const Invitation = lazy(async () => ({ default: (await rest()).Invitation }))

export function App() {
  return (
    <Suspense>
      <Desk />
    </Suspense>
  )
}

function Desk() {
  const [location] = useLocation()
  const session = useSessionQuery()
  if (location === '/invitation') return <Invitation />
  if (session.data) {
    return (
      <SessionContext value={session.data}>
        <Shell>
          <Suspense>
            <Views />
          </Suspense>
        </Shell>
      </SessionContext>
    )
  }
  if (session.data === null) return <SignIn />
  if (session.isError) {
    return (
      <main className="mx-auto max-w-xl px-4 py-16">
        <h1 className="mb-4 text-heading">Desk</h1>
        <Problem title="The desk isn’t responding" onRetry={() => session.refetch()}>
          {messageOf(session.error)}
        </Problem>
      </main>
    )
  }
  return null
}

function Views() {
  useEffect(() => {
    rest().catch(() => {})
  }, [])
  return (
    <Switch>
      <Route path="/">
        <Today />
      </Route>
      <Route path="/leads">
        <Leads />
      </Route>
      <Route path="/leads/:id">{({ id }) => <Lead key={id} id={id} />}</Route>
      <Route path="/health">
        <Health />
      </Route>
      <Route path="/you">
        <Account />
      </Route>
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}
