/** Copies text to the clipboard. */
import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

interface CopyButtonProps {
  readonly text: string
  readonly what: string
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 3000)
    return () => clearTimeout(timer)
  }, [state])
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      setState('failed')
    }
  }
  return (
    <span className="inline-flex items-center gap-1 print:hidden">
      <button
        type="button"
        aria-label={`Copy ${what}`}
        title={`Copy ${what}`}
        className="grid size-11 place-items-center rounded-lg text-ink-soft hover:bg-mist hover:text-ink"
        onClick={copy}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
      </button>
      <span role="status" className="text-small text-ink-soft">
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Couldn’t copy. Select the text and copy it.' : ''}
      </span>
    </span>
  )
}

/** Text with a copy button, on one line if there's room. */
export function Copyable({ text, what, children }: CopyButtonProps & { readonly children: ReactNode }) {
  return (
    <span className="flex flex-wrap items-start gap-x-1">
      <span className="min-w-0 @min-[14rem]:max-w-[calc(100%-3.75rem)]">{children}</span>
      <span className="-my-2.5">
        <CopyButton text={text} what={what} />
      </span>
    </span>
  )
}
