/** Ad spend of one month, typed campaign by campaign or pasted as a table for any months, with its history. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney, readMoney, spendColumns } from '../../../../domain/campaigns/ad-spend.ts'
import { campaignName } from '../../../../domain/campaigns/campaign.ts'
import { pluralize } from '../../../../domain/text/numbers.ts'
import { api, unwrap } from '../../client.ts'
import { truncate } from '../../format/names.tsx'
import { queryKeys } from '../../query-keys.ts'
import { useTimes } from '../../times.ts'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { monthName, useMonths } from './months.ts'

const PASTED = 'pasted'

interface EnterSpendProps {
  readonly campaigns: readonly string[]
  readonly onClose: () => void
}

export function EnterSpend({ campaigns, onClose }: EnterSpendProps) {
  const offered = useMonths()
  const client = useQueryClient()
  const toast = useToast()
  const [where, setWhere] = useState(offered.at(-1) ?? '')
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [table, setTable] = useState('')
  const [isTried, setTried] = useState(false)
  const save = useMutation({
    mutationFn: () => {
      if (where === PASTED) return unwrap(api.costs.table.$post({ json: { table } }))
      const entries = Object.entries(typed).map(([campaign, text]) => ({
        campaign,
        month: where,
        cents: readMoney(text) ?? 0,
      }))
      return unwrap(api.costs.spend.$post({ json: { entries } }))
    },
    onSuccess: ({ changed }) => {
      client.invalidateQueries({ queryKey: queryKeys.allCosts })
      toast({ text: `${pluralize(changed, 'amount')} changed.` })
      onClose()
    },
  })
  const isWrong = (text: string) => text.trim() !== '' && readMoney(text) === null
  return (
    <ConfirmDialog
      title="Ad spend"
      button="Save"
      {...progressOf(save)}
      onClose={onClose}
      onConfirm={() => {
        setTried(true)
        const isEmpty = where === PASTED ? table.trim() === '' : Object.keys(typed).length === 0
        if (isEmpty) onClose()
        else if (where === PASTED || !Object.values(typed).some(isWrong)) save.mutate()
      }}
    >
      <Select
        label="Month"
        value={where}
        choices={[[PASTED, 'Paste a table'], ...offered.toReversed().map(month => [month, monthName(month)] as const)]}
        onChoose={value => {
          setWhere(value)
          setTyped({})
        }}
      />
      {where === PASTED ? (
        <TextArea
          label="Table"
          hint={`From a spreadsheet or a CSV file. Its first line names the columns: ${spendColumns.join(', ')}. “Download ad spend” has such a table to fill in.`}
          rows={8}
          value={table}
          onChange={event => setTable(event.target.value)}
        />
      ) : (
        <MonthFields
          key={where}
          month={where}
          campaigns={campaigns}
          typed={typed}
          errorOf={text => (isTried && isWrong(text) ? 'Enter an amount, such as 1200.50.' : undefined)}
          onType={(campaign, text) => setTyped({ ...typed, [campaign]: text })}
        />
      )}
    </ConfirmDialog>
  )
}

interface MonthFieldsProps {
  readonly month: string
  readonly campaigns: readonly string[]
  readonly typed: Readonly<Record<string, string>>
  readonly errorOf: (text: string) => string | undefined
  readonly onType: (campaign: string, text: string) => void
}

function MonthFields({ month, campaigns, typed, errorOf, onType }: MonthFieldsProps) {
  const times = useTimes()
  const months = { from: month, to: month }
  const { data } = useQuery({
    queryKey: queryKeys.costs(months),
    queryFn: ({ signal }) => unwrap(api.costs.$get({ query: months }, { init: { signal } })),
  })
  if (!data) return <p role="status">Loading…</p>
  const entered = new Map(data.entered.map(({ campaign, cents }) => [campaign, cents]))
  const all = [...new Set([...data.rows.map(({ campaign }) => campaign), ...campaigns])]
  const history = data.entered.toSorted((a, b) => b.at - a.at)
  return (
    <>
      {all.length === 0 ? <p>No campaigns yet. Paste a table to enter spend before the first lead.</p> : null}
      {all.map(campaign => {
        const cents = entered.get(campaign) ?? 0
        const text = typed[campaign] ?? (cents === 0 ? '' : (cents / 100).toFixed(2))
        return (
          <TextField
            key={campaign}
            label={truncate(campaignName(campaign), 80)}
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.00"
            value={text}
            error={errorOf(text)}
            onChange={event => onType(campaign, event.target.value)}
          />
        )
      })}
      {history.length > 0 ? (
        <details>
          <summary className="min-h-11 cursor-pointer py-2 underline underline-offset-4">History</summary>
          <ul className="flex flex-col gap-1 text-small">
            {history.map(({ campaign, n, cents, by, at }) => (
              <li key={`${campaign} ${n}`}>
                {times.short(at)}, {by}: <bdi>{truncate(campaignName(campaign), 80)}</bdi>, {formatMoney(cents)}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  )
}
