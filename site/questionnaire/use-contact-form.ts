/** Loads the contact form while the visitor answers, so that the first question does not wait for it. */
import { type ComponentType, useEffect, useState } from 'react'
import type { ContactFormProps } from './contact-form.tsx'

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

type LoadedForm = { readonly Form: ComponentType<ContactFormProps> | null; readonly failure: unknown }

/** The form once it has arrived. Throws, for the error boundary, only when it is needed and cannot be had. */
export function useContactForm(wanted: boolean, needed: boolean): ComponentType<ContactFormProps> | null {
  const [{ Form, failure }, setLoaded] = useState<LoadedForm>({ Form: null, failure: null })
  useEffect(() => {
    if (!wanted) return
    load().then(
      form => setLoaded({ Form: form, failure: null }),
      error => setLoaded({ Form: null, failure: error }),
    )
  }, [wanted])
  if (needed && failure !== null) throw failure
  return Form
}
