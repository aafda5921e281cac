/** What can be done with the selected leads, at the foot of the screen for as long as there are some. */
import { Ban, Check, Send } from 'lucide-react'
import type { JobAction } from '../../api/jobs.ts'
import { Button } from '../ui/button.tsx'
import { counted } from '../words/figures.ts'

interface SelectionBarProps {
  readonly selected: number
  readonly onAction: (action: JobAction) => void
  readonly onClear: () => void
}

export function SelectionBar({ selected, onAction, onClear }: SelectionBarProps) {
  return (
    <section
      aria-label="Selected leads"
      // With large text it must leave room for the list from which to select.
      className="sticky bottom-3 z-10 mx-auto mt-4 flex max-h-[45dvh] max-w-4xl animate-arrive flex-wrap items-center gap-2 overflow-y-auto rounded-2xl border border-line bg-raised p-[min(0.75rem,12px)] shadow-raised"
    >
      <p role="status" className="mr-auto px-2 font-bold">
        {counted(selected, 'lead')} selected
      </p>
      <Button icon={<Check aria-hidden size={16} />} onClick={() => onAction('release')}>
        Release
      </Button>
      <Button icon={<Ban aria-hidden size={16} />} onClick={() => onAction('reject')}>
        Reject
      </Button>
      <Button icon={<Send aria-hidden size={16} />} onClick={() => onAction('redeliver')}>
        Send again
      </Button>
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
    </section>
  )
}
