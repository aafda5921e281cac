/** Where the desk begins in the browser. */
import './styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { onSignedOut, Refused } from './client.ts'
import { sessionEnded, sessionQuery } from './session.ts'
import { Boundary } from './shell/boundary.tsx'
import { ToastProvider } from './ui/toast.tsx'

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // What was refused is refused again; what did not arrive may arrive.
      retry: (failures, error) => error instanceof Refused && error.code === 'not connected' && failures < 2,
      staleTime: 5000,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // At once or not at all: what is kept back while there is no network would be done later, also when it was cancelled.
    mutations: { networkMode: 'always' },
  },
})

onSignedOut(() => {
  if (client.getQueryData(sessionQuery.queryKey)) client.setQueryData(sessionEnded.queryKey, true)
  client.setQueryData(sessionQuery.queryKey, null)
})

const element = document.querySelector('#desk')
if (!element) throw new Error('The document has no place for the desk.')
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <ToastProvider>
        <Boundary>
          <App />
        </Boundary>
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
)
