/** Help: the guides for managers and agents, from docs/, because they see no files. */
import firstDay from '../../../../docs/first-day.md'
import forManagers from '../../../../docs/managers.md'
import { useSession } from '../../session.ts'
import { Page } from '../../shell/page.tsx'

export function FirstDay() {
  const isAgent = useSession().role === 'agent'
  const guide = isAgent ? firstDay : `${forManagers}<h2>Your first day</h2>${firstDay}`
  return (
    <Page title="Help">
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own files, converted by the build */}
      <article className="guide max-w-3xl" dangerouslySetInnerHTML={{ __html: guide }} />
    </Page>
  )
}
