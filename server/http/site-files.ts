/**
 * Reads the files of a published site. The user that publishes opens other people's pictures, so it may be taken over. It can't make us
 * read what only we can: below the folder that root made, names are plain, and nothing but `live` is a link.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Where `npm run build` writes the site. In a release, it's a link to `live` in a folder of the release. */
export const BUILT_SITE = join(import.meta.dirname, '../../built')

/** The message tells the operator what to do. */
export class SiteUnusable extends Error {
  override name = 'SiteUnusable'
}

/** Whether a release's publisher puts the site in place, not a build in a checkout. */
export const isPublished = (built = BUILT_SITE): boolean =>
  lstatSync(built, { throwIfNoEntry: false })?.isSymbolicLink() === true

/** The real path of the site that's served. Throws if there is none. */
export function findSite(built = BUILT_SITE): string {
  const link = linkAt(built)
  if (link === null) return realpathSync(built)
  const own = publishedInto(built)
  const live = basename(link)
  return join(own, plain(linkAt(join(own, live)) ?? live))
}

/** The folder that a release's sites are published into. */
export function publishedInto(built = BUILT_SITE): string {
  const folder = dirname(resolve(dirname(built), readlinkSync(built)))
  return join(realpathSync(dirname(folder)), basename(folder))
}

/** Null if it isn't a link. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EINVAL') return null
    throw error
  }
}

function plain(name: string): string {
  if (!/^[\w-][\w.-]*$/.test(name)) throw new SiteUnusable(`The site has a name that isn’t plain: ${name}`)
  return name
}

/** `folder` is a real path. */
export function readSiteFile(folder: string, file: string): Buffer<ArrayBuffer> {
  const path = join(folder, ...file.split('/').map(plain))
  // A pipe would keep us waiting.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile() || openedPath(descriptor, path) !== path)
      throw new SiteUnusable(`${path} isn’t a file of the site, but a link.`)
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Linux says what is open, so nobody can switch it after the check. */
const openedPath = (descriptor: number, path: string) =>
  process.platform === 'linux' ? readlinkSync(`/proc/self/fd/${descriptor}`) : realpathSync(path)
