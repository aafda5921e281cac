/** Downloads an export and reports progress. Returns a complete file or throws. */
import { api, apiErrorFrom, type LeadsFilter } from '../../client.ts'

interface ExportOptions {
  readonly signal: AbortSignal
  /** Counts lines, which is close enough for a progress bar. */
  readonly onProgress: (leads: number, total: number | null) => void
}

const NEWLINE = 10

export async function exportLeads(filter: LeadsFilter, { signal, onProgress }: ExportOptions): Promise<Blob> {
  const response = await api.leads.export.$post({ json: { filter } }, { init: { signal } })
  if (!response.ok || !response.body) throw await apiErrorFrom(response)
  const total = Number(response.headers.get('x-leads-total') ?? Number.NaN)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  // Don't count the header row.
  let lines = -1
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    for (const byte of value) if (byte === NEWLINE) lines++
    onProgress(Math.max(0, lines), Number.isNaN(total) ? null : total)
  }
  return new Blob(chunks, { type: response.headers.get('content-type') ?? 'text/plain' })
}

export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers don't start reading right away.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
