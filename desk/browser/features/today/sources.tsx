/** Leads of the last 30 days by campaign or page, repeats included as in the list behind each figure. */
import type { Today } from '../../client.ts'
import { Card } from '../../ui/card.tsx'
import { Measure } from '../../ui/measure.tsx'
import { figure, percent } from '../../words/figures.ts'
import { campaignName, pageName } from '../../words/names.tsx'
import { FigureLink } from './figure-link.tsx'

const words = {
  campaign: { title: 'Campaigns, last 30 days', head: 'Campaign', name: campaignName, rest: 'All other campaigns' },
  page: { title: 'Pages, last 30 days', head: 'Page', name: pageName, rest: 'All other pages' },
}

const heading = '[overflow-wrap:normal] pb-1 pl-3 text-right font-normal'
const cell = 'whitespace-nowrap py-1.5 pl-3 text-right @max-[14rem]:py-0 @max-[14rem]:pl-0 @max-[14rem]:last:pb-3'

function Unit({ children }: { readonly children: string }) {
  return (
    <span aria-hidden className="hidden font-normal @max-[14rem]:inline">
      {' '}
      {children}
    </span>
  )
}

export function Sources({ kind, lines }: { readonly kind: keyof typeof words; readonly lines: Today['campaigns'] }) {
  const { title, head, name, rest } = words[kind]
  const most = Math.max(1, ...lines.map(({ submitted }) => submitted))
  return (
    <Card title={title}>
      {lines.length === 0 ? (
        <p className="text-ink-soft">No visits yet.</p>
      ) : (
        // Without room for columns, each figure says what it is. Explicit roles: as blocks the elements would lose them.
        <table role="table" className="w-full @max-[14rem]:block">
          <thead role="rowgroup" className="@max-[14rem]:sr-only">
            <tr role="row" className="text-left align-bottom text-small text-ink-soft">
              <th role="columnheader" scope="col" className="pb-1 font-normal">
                {head}
              </th>
              <th role="columnheader" scope="col" className={`${heading} max-sm:hidden`}>
                Views
              </th>
              <th role="columnheader" scope="col" className={heading}>
                Leads
              </th>
              <th role="columnheader" scope="col" className={heading}>
                Rate
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup" className="@max-[14rem]:block">
            {lines.map(({ key, views, submitted, filter }) => (
              <tr
                key={key ?? '…'}
                role="row"
                className="align-baseline @max-[14rem]:flex @max-[14rem]:flex-wrap @max-[14rem]:gap-x-4"
              >
                <th role="rowheader" scope="row" className="w-full py-1.5 text-left font-normal">
                  <span className="line-clamp-4">{key === null ? rest : name(key)}</span>
                  <Measure share={submitted / most} />
                </th>
                <td role="cell" className={`${cell} max-sm:hidden`}>
                  {figure(views)}
                  <Unit>views</Unit>
                </td>
                <td role="cell" className={`${cell} font-bold`}>
                  {filter ? <FigureLink filter={filter}>{figure(submitted)}</FigureLink> : figure(submitted)}
                  <Unit>{submitted === 1 ? 'lead' : 'leads'}</Unit>
                </td>
                <td role="cell" className={cell}>
                  {views > 0 ? percent(submitted / views) : '–'}
                  <Unit>of views</Unit>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
