/**
 * Stops with the line that helps if npm left out packages with native code: one that runs on an old Node leaves out, without a word,
 * those whose `engines` it doesn't meet. Imported first, because the build fails on them as it loads.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Package {
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

/** Packages for this machine that package-lock.json has and the folder lacks. */
export function missingPackages(
  project: string,
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'>,
): string[] {
  const { packages }: { packages: Readonly<Record<string, Package>> } = JSON.parse(
    readFileSync(join(project, 'package-lock.json'), 'utf8'),
  )
  const isOurs = ({ optional, os, cpu, libc }: Package) =>
    optional === true && os?.includes(platform) && cpu?.includes(arch) && !libc?.includes('musl')
  return Object.keys(packages).filter(name => isOurs(packages[name] ?? {}) && !existsSync(join(project, name)))
}

const report = () => process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } }
const missing = missingPackages(join(import.meta.dirname, '..'), process)
// With another C library, npm is right to leave these out.
if (missing.length > 0 && (process.platform !== 'linux' || report().header.glibcVersionRuntime)) {
  console.error(
    `npm left out packages that this machine needs, such as ${missing[0]?.replace(/^.*node_modules\//, '')}, because the Node that it runs on is too old. Run this once, then try again:\n\n  npx -y -p node@26 -p npm@11 npm ci\n`,
  )
  process.exit(1)
}
