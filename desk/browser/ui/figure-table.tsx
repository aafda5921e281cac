/** A table of figures. If it's too narrow for columns, each row becomes a card with its labels, so nothing is cut off. */
import type { ReactNode } from 'react'
import { Select } from './field.tsx'
import { Icon } from './icon.tsx'

interface FigureRow {
  readonly key: string
  readonly name: ReactNode
  /** One per column. */
  readonly cells: readonly ReactNode[]
}

interface FigureTableProps {
  readonly label: string
  /** The first column's heading. */
  readonly first: string
  readonly columns: readonly string[]
  readonly rows: readonly FigureRow[]
  readonly sorting?: { readonly column: string; readonly onSort: (column: string) => void }
}

// The roles are explicit because elements with `display: block` lose theirs.
export function FigureTable({ label, first, columns, rows, sorting }: FigureTableProps) {
  return (
    <>
      {sorting ? (
        <div className="mb-2 @min-[42rem]:hidden print:hidden">
          <Select
            label="Sort by"
            value={sorting.column}
            choices={columns.map(name => [name, name] as const)}
            onChoose={sorting.onSort}
          />
        </div>
      ) : null}
      <table
        role="table"
        aria-label={label}
        className="w-full table-fixed text-right [overflow-wrap:break-word] @max-[42rem]:block"
      >
        <thead role="rowgroup" className="align-bottom text-small text-ink-soft @max-[42rem]:hidden">
          <tr role="row">
            <th role="columnheader" scope="col" className="py-1 text-left font-normal">
              {first}
            </th>
            {columns.map(name => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                aria-sort={name === sorting?.column ? 'descending' : undefined}
                // The columns of a page's tables line up.
                className={`py-1 pl-2 font-normal ${columns.length > 5 ? 'w-[12%]' : 'w-[14%]'}`}
              >
                {sorting ? <SortButton name={name} sorting={sorting} /> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="@max-[42rem]:block">
          {rows.map(({ key, name, cells }) => (
            <tr
              key={key}
              role="row"
              className="border-t border-line @max-[42rem]:grid @max-[42rem]:grid-cols-[repeat(auto-fill,minmax(min(100%,12rem),1fr))] @max-[42rem]:gap-x-5 @max-[42rem]:py-2"
            >
              <th
                role="rowheader"
                scope="row"
                className="py-2 text-left font-normal @max-[42rem]:col-span-full @max-[42rem]:block @max-[42rem]:py-0.5 @max-[42rem]:font-bold"
              >
                {name}
              </th>
              {cells.map((cell, index) => (
                <td
                  key={columns[index]}
                  role="cell"
                  className="py-2 pl-2 @max-[42rem]:flex @max-[42rem]:flex-wrap @max-[42rem]:justify-between @max-[42rem]:gap-x-2 @max-[42rem]:p-0 @max-[42rem]:text-small"
                >
                  <span className="text-ink-soft @min-[42rem]:hidden">{columns[index]}</span>
                  <span className="ml-auto">{cell}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function SortButton({
  name,
  sorting,
}: {
  readonly name: string
  readonly sorting: NonNullable<FigureTableProps['sorting']>
}) {
  const isCurrent = name === sorting.column
  return (
    <button
      type="button"
      onClick={() => sorting.onSort(name)}
      className={`min-h-11 rounded-md pl-1 text-right hover:text-ink ${isCurrent ? 'font-bold text-ink' : 'underline decoration-edge underline-offset-4'}`}
    >
      {name}
      {isCurrent ? <Icon name="arrow-down" size={13} className="ml-0.5 inline" /> : null}
    </button>
  )
}
