/** The browser's part of the desk, held in memory as desk/build wrote it: the document, and every file at its address. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Encoding, MANIFEST_FILE, type SiteFile } from '../../server/http/site-manifest.ts'

/** `built-desk/manifest.json`. */
export interface BrowserManifest {
  /** What it was built from: a different one means that it is out of date. */
  readonly fingerprint: string
  readonly files: readonly SiteFile[]
}

export interface BrowserFile {
  readonly type: string
  /** Its name changes with its content, so a browser may keep it for good. */
  readonly immutable: boolean
  /** Shared by everyone who is answered with it. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly encoded: Readonly<Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>>
}

export interface BrowserFiles {
  /** What is answered at every address of a view. */
  readonly document: BrowserFile
  /** Everything else, by its path. */
  readonly files: ReadonlyMap<string, BrowserFile>
}

const ENDINGS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

/** The message tells the operator what to do. */
export class DeskNotBuilt extends Error {
  constructor() {
    super('The desk’s pages are not built. `npm run desk` builds them; or run: node desk/build/if-stale.ts')
    this.name = 'DeskNotBuilt'
  }
}

export function loadBrowserFiles(folder = join(import.meta.dirname, '../../built-desk')): BrowserFiles {
  const manifest = readManifest(folder)
  const load = ({ file, type, immutable, encodings }: SiteFile): BrowserFile => ({
    type,
    immutable,
    bytes: new Uint8Array(readFileSync(join(folder, file))),
    encoded: Object.fromEntries(
      encodings.map(encoding => [encoding, new Uint8Array(readFileSync(join(folder, file + ENDINGS[encoding])))]),
    ),
  })
  const document = manifest.files.find(({ path }) => path === null)
  if (!document) throw new Error(`${folder} has no document.`)
  return {
    document: load(document),
    files: new Map(manifest.files.flatMap(file => (file.path === null ? [] : [[file.path, load(file)]]))),
  }
}

function readManifest(folder: string): BrowserManifest {
  try {
    return JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')) as BrowserManifest
  } catch {
    throw new DeskNotBuilt()
  }
}
