/** Copies a text, and says so in place. */
import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

/** For what it copies: leaves room for the button in its line, unless the text is so large that it needs the whole of it. */
export const besideCopy = 'min-w-0 @min-[14rem]:max-w-[calc(100%-3.75rem)]'

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
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
        {state === 'copied' ? 'Copied' : state === 'failed' ? 'Couldn’t copy. Select it and copy by hand.' : ''}
      </span>
    </span>
  )
}
