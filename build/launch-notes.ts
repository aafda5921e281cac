/** What the launch check finds in the pages that were just built, for the server to say when it serves them. */
import type { LaunchNotes } from '../server/http/site-manifest.ts'
import type { SourceFile } from './output/write-site.ts'

export async function launchNotes(files: readonly SourceFile[], siteUrl: string): Promise<LaunchNotes> {
  // Not before the pages are rendered: what is wrong in content/ is told by their build, with file and line.
  const { siteFindings } = await import('../launch/site-findings.ts')
  const { parsePage } = await import('../launch/page.ts')
  const { wholeJustifications } = await import('../launch/justification.ts')
  const { justifications } = await import('../content/claims.ts')
  const isPage = ({ file }: SourceFile) => file.endsWith('.html')
  const findings = siteFindings({
    pages: files.filter(isPage).map(({ path, file, bytes }) => parsePage(bytes.toString(), path, file)),
    otherPaths: files.filter(file => !isPage(file)).flatMap(({ path }) => path ?? []),
    siteUrl,
  })
  return {
    points: findings.map(({ change: _, ...point }) => point),
    justified: Object.keys(wholeJustifications(justifications, new Date().toISOString().slice(0, 10))),
  }
}
