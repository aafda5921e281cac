/** What can be done with everything that the filter finds. */
import { Ban, Check, ChevronDown, Download, Send } from 'lucide-react'
import { useState } from 'react'
import type { JobAction } from '../../api/jobs.ts'
import type { LeadsCount, LeadsFilter } from '../../api/leads.ts'
import { useMayAct } from '../session.ts'
import { Menu } from '../ui/menu.tsx'
import { figure } from '../words/figures.ts'
import { ExportDialog } from './export-dialog.tsx'

interface AllFoundProps {
  readonly filter: LeadsFilter
  readonly count: LeadsCount | undefined
  readonly onJob: (action: JobAction) => void
}

export function AllFound({ filter, count, onJob }: AllFoundProps) {
  const [exporting, setExporting] = useState(false)
  if (!useMayAct() || !count || count.total === 0) return null
  const found = `${count.exact ? '' : 'more than '}${figure(count.total)}`
  return (
    <>
      <Menu
        edged
        label={`Act on all ${found}`}
        items={[
          { label: 'Export …', icon: <Download aria-hidden size={18} />, onChoose: () => setExporting(true) },
          { label: 'Send again …', icon: <Send aria-hidden size={18} />, onChoose: () => onJob('redeliver') },
          { label: 'Release …', icon: <Check aria-hidden size={18} />, onChoose: () => onJob('release') },
          { label: 'Reject …', icon: <Ban aria-hidden size={18} />, onChoose: () => onJob('reject') },
        ]}
      >
        {`Act on all ${found}`}
        <ChevronDown aria-hidden size={18} />
      </Menu>
      {exporting ? <ExportDialog filter={filter} count={count} onClose={() => setExporting(false)} /> : null}
    </>
  )
}
