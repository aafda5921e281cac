/** A chart, or the table behind it. */
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Card } from './card.tsx'

interface ChartWithTableProps {
  readonly title: string
  /** About the chart: the table needs no legend. */
  readonly note: ReactNode
  readonly chart: ReactNode
  readonly table: ReactNode
}

export function ChartWithTable({ title, note, chart, table }: ChartWithTableProps) {
  const [asTable, setAsTable] = useState(false)
  return (
    <Card
      className="h-full"
      title={title}
      note={asTable ? undefined : note}
      aside={
        <Button kind="quiet" className="-my-2 px-2 text-small" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show chart' : 'Show table'}
        </Button>
      }
    >
      {asTable ? table : chart}
    </Card>
  )
}
