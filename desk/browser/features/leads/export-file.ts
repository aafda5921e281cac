/** Downloads an export with its progress. The result is a complete file, or none. */
import { api, type LeadsFilter, refusalOf } from '../../client.ts'

interface Exporting {
  readonly signal: AbortSignal
  /** By lines read: close enough to show progress. */
  readonly onProgress: (leads: number, total: number | null) => void
}

const NEW_LINE = 10

export async function exportLeads(filter: LeadsFilter, { signal, onProgress }: Exporting): Promise<Blob> {
  const answer = await api.leads.export.$post({ json: { filter } }, { init: { signal } })
  if (!answer.ok || !answer.body) throw await refusalOf(answer)
  const total = Number(answer.headers.get('x-leads-total') ?? Number.NaN)
  const pieces: Uint8Array<ArrayBuffer>[] = []
  // The first line has the names of the columns.
  let lines = -1
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    pieces.push(value)
    for (const byte of value) if (byte === NEW_LINE) lines++
    onProgress(Math.max(0, lines), Number.isNaN(total) ? null : total)
  }
  return new Blob(pieces, { type: answer.headers.get('content-type') ?? 'text/plain' })
}

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Later: some browsers start reading it late.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
