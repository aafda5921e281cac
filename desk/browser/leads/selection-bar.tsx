/** What can be done with the selected leads, at the foot of the screen for as long as there are some. */
import { Ban, Check, Send } from 'lucide-react'
import { useEffect } from 'react'
import type { JobAction } from '../../api/jobs.ts'
import { Button } from '../ui/button.tsx'
import { counted } from '../words/figures.ts'

interface SelectionBarProps {
  readonly selected: number
  readonly onAction: (action: JobAction) => void
  readonly onClear: () => void
}

export function SelectionBar({ selected, onAction, onClear }: SelectionBarProps) {
  // It comes over the very row that was selected, if that is the last on the screen.
  useEffect(() => {
    // Not as the effect's answer: newer browsers give a promise, which React would call to clean up.
    document.activeElement?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section
      aria-label="Selected leads"
      data-selection-bar
      // With large text it must leave room for the list from which to select.
      className="@container sticky bottom-3 z-10 mx-auto mt-4 max-h-[45dvh] max-w-4xl animate-arrive overflow-y-auto rounded-2xl border border-line bg-raised p-[min(0.5rem,8px)] shadow-raised"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <p role="status" className="mr-auto pl-2 font-bold">
          {counted(selected, 'lead')} selected
        </p>
        {/* On a phone a row of their own, in which the words alone have room. */}
        <div className="flex flex-wrap gap-[min(0.5rem,8px)] @max-[36rem]:order-last @max-[36rem]:w-full @max-[36rem]:[&>*]:grow @max-[36rem]:[&>*]:px-2 @max-[36rem]:[&_svg]:hidden">
          <Button icon={<Check aria-hidden size={16} />} onClick={() => onAction('release')}>
            Release
          </Button>
          <Button icon={<Ban aria-hidden size={16} />} onClick={() => onAction('reject')}>
            Reject
          </Button>
          <Button icon={<Send aria-hidden size={16} />} onClick={() => onAction('redeliver')}>
            Send again
          </Button>
        </div>
        <Button kind="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
    </section>
  )
}
