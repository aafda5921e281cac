/** Which campaign and which page the leads of 30 days came from; repeats are counted, since the list behind a figure has them. */
import type { SourceFigures } from '../../api/today.ts'
import { Card } from '../ui/card.tsx'
import { Measure } from '../ui/measure.tsx'
import { figure, percent } from '../words/figures.ts'
import { campaignName, pageName } from '../words/names.tsx'
import { FigureLink } from './figure-link.tsx'

const words = {
  campaign: { title: 'By campaign, 30 days', head: 'Campaign', name: campaignName, rest: 'All other campaigns' },
  page: { title: 'By page, 30 days', head: 'Page', name: pageName, rest: 'All other pages' },
}

export function Sources({
  kind,
  lines,
}: {
  readonly kind: keyof typeof words
  readonly lines: readonly SourceFigures[]
}) {
  const { title, head, name, rest } = words[kind]
  const most = Math.max(1, ...lines.map(({ submitted }) => submitted))
  return (
    <Card title={title}>
      {lines.length === 0 ? (
        <p className="text-ink-soft">Nobody has visited in this time.</p>
      ) : (
        <table className="w-full">
          <thead>
            <tr className="text-left align-bottom text-small text-ink-soft">
              <th scope="col" className="pb-1 font-normal">
                {head}
              </th>
              <th scope="col" className="[overflow-wrap:normal] pb-1 pl-3 text-right font-normal max-sm:hidden">
                Views
              </th>
              <th scope="col" className="[overflow-wrap:normal] pb-1 pl-3 text-right font-normal">
                Leads
              </th>
              <th scope="col" className="[overflow-wrap:normal] pb-1 pl-3 text-right font-normal">
                Of views
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ key, views, submitted, filter }) => (
              <tr key={key ?? '…'} className="align-baseline">
                <th scope="row" className="w-full py-1.5 text-left font-normal">
                  <span className="line-clamp-2">{key === null ? rest : name(key)}</span>
                  <Measure share={submitted / most} />
                </th>
                <td className="whitespace-nowrap py-1.5 pl-3 text-right max-sm:hidden">{figure(views)}</td>
                <td className="whitespace-nowrap py-1.5 pl-3 text-right font-bold">
                  {filter ? <FigureLink filter={filter}>{figure(submitted)}</FigureLink> : figure(submitted)}
                </td>
                <td className="whitespace-nowrap py-1.5 pl-3 text-right">
                  {views > 0 ? percent(submitted / views) : '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
