/** Loads the contact form's script while the visitor answers, so that the first question doesn't wait for it. */
import { type ComponentType, useEffect, useState } from 'react'
import type { ContactFormProps } from './contact-form.tsx'
import { RELOADED_KEY } from './use-draft.ts'

/** A phone between two cell towers loses requests: try again after each of these waits. */
const waits = [0, 1000, 3000, 6000, 10_000]
let attempts = 0

async function load(): Promise<ComponentType<ContactFormProps>> {
  let failure: unknown
  for (const wait of waits) {
    await new Promise(resolve => setTimeout(resolve, wait))
    try {
      return (await (attempts++ ? importAgain() : import('./contact-form.tsx'))).ContactForm
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/**
 * Chromium remembers a failed import() by its address for the life of the page (whatwg/html#6768), so every further
 * attempt needs a new URL. Only the query differs: the form must import the React that is already running.
 */
function importAgain(): Promise<typeof import('./contact-form.tsx')> {
  const script = document.querySelector<HTMLElement>('[data-contact-form]')?.dataset['contactForm']
  return import(/* @vite-ignore */ new URL(`${script}?${attempts}`, import.meta.url).href)
}

/** The form once it is loaded. Throws, for the error boundary, only when it is needed and can't be loaded. */
export function useContactForm(wanted: boolean, needed: boolean): ComponentType<ContactFormProps> | null {
  const [Form, setForm] = useState<ComponentType<ContactFormProps> | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    if (!wanted || Form) return
    let current = true
    load().then(
      form => current && setForm(() => form),
      // A failure counts only once the form is needed: then it is loaded again.
      error => current && needed && !reloadOnce() && setFailure(error),
    )
    return () => {
      current = false
    }
  }, [wanted, needed, Form])
  if (failure !== null) throw failure
  return Form
}

/** A page from before a deploy asks for a file that is gone. A reload gets the new one and keeps the draft. */
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
