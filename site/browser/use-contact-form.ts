/** Loads the contact form while the visitor answers, so that the first question does not wait for it. */
import { type ComponentType, useEffect, useState } from 'react'
import type { ContactFormProps } from './contact-form.tsx'
import { RELOADED_KEY } from './use-draft.ts'

/** A phone between two cells loses requests: each wait is followed by another try. */
const waits = [0, 1000, 3000, 6000, 10_000]

async function load(): Promise<ComponentType<ContactFormProps>> {
  let failure: unknown
  for (const wait of waits) {
    await new Promise(resolve => setTimeout(resolve, wait))
    try {
      return (await import('./contact-form.tsx')).ContactForm
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** The form once it has arrived. Throws, for the error boundary, only when it is needed and cannot be had. */
export function useContactForm(wanted: boolean, needed: boolean): ComponentType<ContactFormProps> | null {
  const [Form, setForm] = useState<ComponentType<ContactFormProps> | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    if (!wanted || Form) return
    let current = true
    load().then(
      form => current && setForm(() => form),
      // While it is not needed yet, a failure is forgotten: it is tried again when it is.
      error => current && needed && !reloadOnce() && setFailure(error),
    )
    return () => {
      current = false
    }
  }, [wanted, needed, Form])
  if (failure !== null) throw failure
  return Form
}

/** A page from before a deploy asks for a file that is gone; a fresh page knows the new one, and the draft is kept. */
function reloadOnce(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_KEY)) return false
    sessionStorage.setItem(RELOADED_KEY, 'yes')
    location.reload()
    return true
  } catch {
    return false
  }
}
