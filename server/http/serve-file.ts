/** Answers with a file of the site: the right encoding, and caching that can be trusted. */
import { chooseEncoded } from './accept-encoding.ts'
import type { Answer, HttpRequest } from './handler.ts'
import type { LoadedFile, Representation } from './load-site.ts'
import { contentSecurityPolicy, type LeadSettings } from './security-headers.ts'

export type ServeFile = (request: HttpRequest, file: LoadedFile, status?: FileStatus) => Answer

type FileStatus = 200 | 404 | 500

interface ReadyAnswer {
  readonly encoding: Representation['encoding']
  readonly etag: string
  readonly whole: Answer
  readonly unchanged: Answer
}

/** A file is answered with in a few ways, which are put together once, and not for each visitor. */
export function createServeFile(settings: LeadSettings): ServeFile {
  const ready = { 200: new Map(), 404: new Map(), 500: new Map() } satisfies Record<FileStatus, AnswersByFile>

  function answersWith(file: LoadedFile, status: FileStatus): readonly ReadyAnswer[] {
    const byFile: AnswersByFile = ready[status]
    let answers = byFile.get(file)
    if (!answers) {
      answers = file.representations.map(representation => readyAnswer(file, representation, status, settings))
      byFile.set(file, answers)
    }
    return answers
  }

  return ({ header }, file, status = 200) => {
    const { etag, whole, unchanged } = chooseEncoded(answersWith(file, status), header('accept-encoding'))
    return status === 200 && isUnchanged(header('if-none-match'), etag) ? unchanged : whole
  }
}

type AnswersByFile = Map<LoadedFile, readonly ReadyAnswer[]>

function readyAnswer(
  file: LoadedFile,
  { encoding, body, etag }: Representation,
  status: FileStatus,
  settings: LeadSettings,
): ReadyAnswer {
  // Pages are asked for again each time, which costs a few bytes when nothing changed.
  // A variant is for this visitor: whoever keeps pages for several must not hand it to another.
  const pageCaching = file.variant ? 'private, no-cache' : 'no-cache'
  const caching = file.immutable ? 'public, max-age=31536000, immutable' : pageCaching
  const headers = {
    'content-type': file.type,
    // An error may be the answer to an address that carries a lead: nobody keeps it.
    'cache-control': status === 500 ? 'no-store' : caching,
    // Ranges are refused: the whole file is smaller than a round trip is long.
    'accept-ranges': 'none',
    etag,
    ...(file.encodings.length > 0 && { vary: 'accept-encoding' }),
    ...(file.inline && { 'content-security-policy': contentSecurityPolicy(file, settings) }),
  }
  const encoded = { ...headers, ...(encoding !== 'identity' && { 'content-encoding': encoding }) }
  return {
    encoding,
    etag,
    whole: { status, headers: encoded, body, isReused: true },
    unchanged: { status: 304, headers, body: '', isReused: true },
  }
}

/** If-None-Match may list several tags, and weak ones match as well. */
function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}
