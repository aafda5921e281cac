/** Your first day: the guide for agents, from docs/, because they see no files. */
import guide from '../../../../docs/first-day.md'
import { Page } from '../../shell/page.tsx'

export function FirstDay() {
  return (
    <Page title="Help">
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own file, converted by the build */}
      <article className="guide max-w-3xl" dangerouslySetInnerHTML={{ __html: guide }} />
    </Page>
  )
}
