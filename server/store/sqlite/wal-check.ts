/**
 * Finds committed transactions in the write-ahead log that SQLite silently drops: it reads the log up to the first
 * frame with a wrong checksum and ignores everything after it. Such a log is copied before it is overwritten.
 */
import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { bringToDisk } from '../files.ts'
import { isBusy } from './errors.ts'
import { DAMAGED_LOG } from './files.ts'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC = 0x377f0682

/** Call before the first write. */
export function keepDamagedLog(database: DatabaseSync, file: string, now = Date.now): void {
  const wal = `${file}-wal`
  if ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) <= HEADER_BYTES) return
  try {
    // No one appends to the log while we hold the write lock.
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    // Another process is writing, so it has the log open and has checked it.
    if (isBusy(error)) return
    throw error
  }
  try {
    if (!isDamaged(readFileSync(wal))) return
    const copy = `${file}${DAMAGED_LOG}${new Date(now()).toISOString().replaceAll(/[:.]/g, '-')}`
    copyFileSync(wal, copy)
    bringToDisk(copy)
    bringToDisk(dirname(copy))
  } finally {
    database.exec('ROLLBACK')
  }
}

/**
 * Whether this log has a committed transaction after the first unreadable frame. Leftovers of an earlier log have different
 * salts, and a truncated transaction has no commit frame, so neither is mistaken for damage.
 */
export function isDamaged(wal: Buffer): boolean {
  const bigEndian = (wal.readUInt32BE(0) & 1) === 1
  const pageSize = wal.readUInt32BE(8)
  const sum = (from: number, to: number, start: Checksum) => checksum(wal, from, to, start, bigEndian)
  let running = sum(0, 24, [0, 0])
  if ((wal.readUInt32BE(0) & ~1) >>> 0 !== MAGIC || !isStoredAt(wal, 24, running)) return true
  const [salt1, salt2] = [wal.readUInt32BE(16), wal.readUInt32BE(20)]
  const frameBytes = FRAME_HEADER_BYTES + pageSize
  let readable = true
  for (let at = HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    const isOfThisLog = wal.readUInt32BE(at + 8) === salt1 && wal.readUInt32BE(at + 12) === salt2
    if (readable) {
      running = sum(at + FRAME_HEADER_BYTES, at + frameBytes, sum(at, at + 8, running))
      readable = isOfThisLog && isStoredAt(wal, at + 16, running)
    }
    const isCommit = wal.readUInt32BE(at + 4) !== 0
    if (!readable && isOfThisLog && isCommit) return true
  }
  return false
}

type Checksum = readonly [number, number]

function isStoredAt(wal: Buffer, at: number, [first, second]: Checksum): boolean {
  return wal.readUInt32BE(at) === first && wal.readUInt32BE(at + 4) === second
}

/** See SQLite's file format, section 4.2. */
function checksum(wal: Buffer, from: number, to: number, [first, second]: Checksum, bigEndian: boolean): Checksum {
  let [a, b] = [first, second]
  for (let at = from; at < to; at += 8) {
    a = (a + (bigEndian ? wal.readUInt32BE(at) : wal.readUInt32LE(at)) + b) >>> 0
    b = (b + (bigEndian ? wal.readUInt32BE(at + 4) : wal.readUInt32LE(at + 4)) + a) >>> 0
  }
  return [a, b]
}
