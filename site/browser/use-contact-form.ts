/** Loads the contact form's script while the visitor answers, so the first question doesn't wait for it. */
import { type ComponentType, useEffect, useState } from 'react'
import type { ContactFormProps } from './contact-form.tsx'
import { RELOADED_KEY } from './use-draft.ts'

/** A phone switching cell towers can lose requests, so try again after each of these delays. */
const attemptDelays = [0, 1000, 3000, 6000, 10_000]
let attempts = 0

async function load(): Promise<ComponentType<ContactFormProps>> {
  let failure: unknown
  for (const wait of attemptDelays) {
    await new Promise(resolve => setTimeout(resolve, wait))
    try {
      return (await (attempts++ ? retryImport() : import('./contact-form.tsx'))).ContactForm
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/**
 * Chromium caches a failed import() by URL for the life of the page (whatwg/html#6768), so each retry needs a new URL. Only
 * the query string differs, because the form must import the copy of React that's already running.
 */
function retryImport(): Promise<typeof import('./contact-form.tsx')> {
  const script = document.querySelector<HTMLElement>('[data-contact-form]')?.dataset['contactForm']
  return import(/* @vite-ignore */ new URL(`${script}?${attempts}`, import.meta.url).href)
}

/** The form, once loaded. Throws to the error boundary, but only if the form is needed and can't be loaded. */
export function useContactForm(wanted: boolean, needed: boolean): ComponentType<ContactFormProps> | null {
  const [Form, setForm] = useState<ComponentType<ContactFormProps> | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    if (!wanted || Form) return
    let current = true
    load().then(
      form => current && setForm(() => form),
      // A failed preload doesn't matter: it's retried when the form is needed.
      error => current && needed && !reloadOnce() && setFailure(error),
    )
    return () => {
      current = false
    }
  }, [wanted, needed, Form])
  if (failure !== null) throw failure
  return Form
}

/**
 * After a deploy, an old page requests a file that no longer exists. Reloading gets the new one and keeps the draft. Offline, it
 * would get the browser's error page.
 */
function reloadOnce(): boolean {
  try {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED_KEY)) return false
    sessionStorage.setItem(RELOADED_KEY, 'yes')
    location.reload()
    return true
  } catch {
    return false
  }
}
