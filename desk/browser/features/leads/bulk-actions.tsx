/** Bulk actions: a menu for all leads that match the filter, and a bar for selected leads. */
import { useEffect } from 'react'
import { type BulkActionName, bulkActionNames, leadActions } from '../../../../domain/leads/lead-actions.ts'
import { formatNumber, pluralize } from '../../../../domain/text/numbers.ts'
import type { LeadsCount, LeadsFilter } from '../../client.ts'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'

interface BulkMenuProps {
  readonly filter: LeadsFilter
  readonly count: LeadsCount
  readonly onAction: (action: BulkActionName) => void
}

/** Without a CRM, there's nothing to resend. What was sent, or waits for it, has been approved. */
function useBulkActions({ delivery }: LeadsFilter): readonly BulkActionName[] {
  const { crm } = useSession()
  const isSent = delivery !== undefined && delivery !== 'none'
  return bulkActionNames.filter(name => (crm || name !== 'resend') && !(isSent && name === 'approve'))
}

export function BulkMenu({ filter, count, onAction }: BulkMenuProps) {
  const names = useBulkActions(filter)
  return (
    <Menu
      label={
        <span>
          Bulk <span className="max-sm:sr-only">actions </span>({formatNumber(count.total)}
          {count.exact ? '' : '+'})
        </span>
      }
      items={names.map(name => ({ ...leadActions[name], onChoose: () => onAction(name) }))}
    />
  )
}

interface SelectionBarProps {
  readonly filter: LeadsFilter
  readonly selected: number
  readonly onAction: (action: BulkActionName) => void
  readonly onClear: () => void
}

export function SelectionBar({ filter, selected, onAction, onClear }: SelectionBarProps) {
  const names = useBulkActions(filter)
  // The bar can cover the row that was just selected.
  useEffect(() => {
    // Keep the braces: newer browsers return a promise here, and React would call it as a cleanup function.
    document.activeElement?.closest('tr')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section
      aria-label="Selected leads"
      data-selection-bar
      // With large text, leave room for the list.
      className="@container sticky bottom-3 z-10 mx-auto mt-4 max-h-[45dvh] max-w-4xl animate-arrive overflow-y-auto rounded-2xl border border-line bg-raised p-[min(0.5rem,8px)] shadow-raised print:hidden"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <p role="status" className="mr-auto pl-2 font-bold">
          {pluralize(selected, 'lead')} selected
        </p>
        {/* On phones, these get their own row and no icons. */}
        <div className="flex flex-wrap gap-[min(0.5rem,8px)] @max-[36rem]:order-last @max-[36rem]:w-full @max-[36rem]:[&>*]:grow @max-[36rem]:[&>*]:px-2 @max-[36rem]:[&_svg]:hidden">
          {names.map(name => (
            <Button key={name} icon={leadActions[name].icon} onClick={() => onAction(name)}>
              {leadActions[name].label}
            </Button>
          ))}
        </div>
        <Button kind="quiet" onClick={onClear}>
          Clear
        </Button>
      </div>
    </section>
  )
}
