/**
 * Finds committed transactions in the write-ahead log that SQLite silently drops: it reads the log up to the first frame with
 * a bad checksum and ignores everything after it. We save a copy of a log like that before it's overwritten.
 */
import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { syncToDisk } from '../files.ts'
import { isBusy } from './errors.ts'
import { DAMAGED_LOG } from './files.ts'

/** See sqlite.org/walformat.html: numbers are big-endian in the log and in native byte order in its index. */
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const READABLE_FRAMES_AT = 16

/** Call before the first write. */
export function keepDamagedLog(database: DatabaseSync, file: string): void {
  const wal = `${file}-wal`
  if ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) <= HEADER_BYTES) return
  try {
    // No other process can append to the log while we hold the write lock.
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    // Another process is writing, so it has the log open and has checked it.
    if (isBusy(error)) return
    throw error
  }
  try {
    const pageBytes = Number(database.prepare('PRAGMA page_size').get()?.['page_size'])
    const readable = readFileSync(`${file}-shm`).readUInt32LE(READABLE_FRAMES_AT)
    if (!isDamaged(readFileSync(wal), readable, pageBytes)) return
    const copy = `${file}${DAMAGED_LOG}${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
    copyFileSync(wal, copy)
    syncToDisk(copy)
    syncToDisk(dirname(copy))
  } finally {
    database.exec('ROLLBACK')
  }
}

/**
 * Whether there is a committed transaction after the frames SQLite can read. A truncated transaction has no commit frame, and
 * leftovers from an earlier log have different salts, so neither is mistaken for damage. One matching salt is enough, because the
 * other may be damaged.
 */
function isDamaged(wal: Buffer, readableFrames: number, pageBytes: number): boolean {
  const frameBytes = FRAME_HEADER_BYTES + pageBytes
  const [salt1, salt2] = [wal.readUInt32BE(16), wal.readUInt32BE(20)]
  for (let at = HEADER_BYTES + readableFrames * frameBytes; at + frameBytes <= wal.length; at += frameBytes) {
    const isFromThisLog = wal.readUInt32BE(at + 8) === salt1 || wal.readUInt32BE(at + 12) === salt2
    const isCommit = wal.readUInt32BE(at + 4) !== 0
    if (isFromThisLog && isCommit) return true
  }
  return false
}
