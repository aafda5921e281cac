/** Reads the built site into memory, ready to be answered with: no request ever waits for the disk. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Encoding,
  ERROR_FILE,
  MANIFEST_FILE,
  NOT_FOUND_FILE,
  PLAIN_FORM_FILE,
  type SiteFile,
  type SiteManifest,
  SUBMISSION_ERROR_FILE,
} from './site-manifest.ts'

/** One encoding of a file, plain or compressed. Each needs its own ETag. */
export interface Representation {
  readonly encoding: Encoding | 'identity'
  readonly body: Uint8Array<ArrayBuffer>
  readonly etag: string
}

export interface LoadedFile extends SiteFile {
  /** The smallest first. */
  readonly representations: readonly Representation[]
}

export interface Site extends Omit<SiteManifest, 'files'> {
  readonly byPath: ReadonlyMap<string, LoadedFile>
  /** Of pages that have them: the page itself and its variants, by its address. */
  readonly variants: ReadonlyMap<string, readonly LoadedFile[]>
  readonly notFound: LoadedFile
  readonly error: LoadedFile
  /** The plain form as a template, and what is shown when it cannot be taken. */
  readonly plainForm: LoadedFile
  readonly submissionError: LoadedFile
}

const extensions: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' }

/** The built site cannot be served. The message tells the operator what to do. */
export class SiteUnusable extends Error {
  override name = 'SiteUnusable'
}

export function loadSite(folder: string): Site {
  const { files: listed, ...manifest } = readManifest(folder)
  const files = listed.map(file => loadFile(folder, file))
  return {
    ...manifest,
    byPath: new Map(files.flatMap(file => (file.path === null ? [] : [[file.path, file] as const]))),
    variants: Map.groupBy(
      files.filter(({ variant }) => variant !== undefined),
      ({ variant }) => variant?.of ?? '',
    ),
    notFound: named(files, NOT_FOUND_FILE),
    error: named(files, ERROR_FILE),
    plainForm: named(files, PLAIN_FORM_FILE),
    submissionError: named(files, SUBMISSION_ERROR_FILE),
  }
}

function readManifest(folder: string): SiteManifest {
  let manifest: Partial<SiteManifest>
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8'))
  } catch {
    // None, or only the beginning of one: a build writes it last.
    throw new SiteUnusable('The site is not built. Run `npm run build` first.')
  }
  if (manifest.words?.ages === undefined || manifest.launch === undefined) {
    throw new SiteUnusable('The site was built by an older version of this program. Run `npm run build`.')
  }
  return manifest as SiteManifest
}

function loadFile(folder: string, file: SiteFile): LoadedFile {
  const load = (encoding: Representation['encoding'], extension: string): Representation => {
    const body = new Uint8Array(readFileSync(join(folder, file.file + extension)))
    return { encoding, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
  }
  const compressed = file.encodings.map(encoding => load(encoding, extensions[encoding]))
  const representations = [...compressed, load('identity', '')].sort((a, b) => a.body.length - b.body.length)
  return { ...file, representations }
}

function named(files: readonly LoadedFile[], name: string): LoadedFile {
  const file = files.find(candidate => candidate.file === name)
  if (!file) throw new Error(`The built site has no ${name}.`)
  return file
}

/** A page's own text, for the server to fill in. */
export function textOf({ file, representations }: LoadedFile): string {
  const plain = representations.find(({ encoding }) => encoding === 'identity')
  if (!plain) throw new Error(`${file} has no plain bytes.`)
  return new TextDecoder().decode(plain.body)
}
