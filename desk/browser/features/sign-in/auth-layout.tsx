/** The layout of the pages before signing in. */
import { type ReactNode, useEffect } from 'react'

export function AuthLayout({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Desk`
  }, [title])
  return (
    <main className="mx-auto flex min-h-dvh max-w-lg flex-col justify-center px-[min(1rem,16px)] py-10">
      <p className="mb-4 font-heading text-[1.375rem] font-[650] text-ink-soft">Desk</p>
      <div className="flex flex-col gap-5 rounded-2xl border border-line bg-card p-[min(1.5rem,24px)] shadow-card sm:p-8">
        <h1 className="text-heading">{title}</h1>
        {children}
      </div>
    </main>
  )
}

export function WithoutPasskeys() {
  return (
    <div role="alert" className="rounded-xl border border-amber-edge bg-amber p-4 text-amber-ink">
      <p className="font-bold">This browser doesn’t support passkeys.</p>
      <p className="mt-1">
        Use a current version of Chrome, Edge, Safari, or Firefox, at an address that starts with https.
      </p>
    </div>
  )
}
