/** The launch check's findings in the pages just built, for the server's alerts and the desk. */
import type { LaunchNotes } from '../server/http/site-manifest.ts'
import type { SourceFile } from './output/write-site.ts'

export async function launchNotes(files: readonly SourceFile[], siteUrl: string): Promise<LaunchNotes> {
  // Only once the pages are rendered: the build reports errors in content/ with file and line.
  const { siteFindings } = await import('../launch/site-findings.ts')
  const { parsePage } = await import('../launch/page.ts')
  const { completeJustifications } = await import('../launch/check.ts')
  const { justifications } = await import('../content/claims.ts')
  const isPage = ({ file }: SourceFile) => file.endsWith('.html')
  const findings = siteFindings({
    pages: files.filter(isPage).map(({ path, file, bytes }) => parsePage(bytes.toString(), path, file)),
    otherPaths: files.filter(file => !isPage(file)).flatMap(({ path }) => path ?? []),
    siteUrl,
  })
  return {
    points: findings.map(({ change: _, ...point }) => point),
    justified: Object.keys(completeJustifications(justifications, new Date().toISOString().slice(0, 10))),
  }
}
