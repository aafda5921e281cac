/** Whether visitors reach the site, asked as they would, because a server that hangs can't say so; and what expires soon. */
import { calendarDay } from '../../domain/dates.ts'
import { DAY } from '../../domain/durations.ts'
import { expiryOf, httpsUrls } from '../../server/alerts/https-certificates.ts'
import type { DeskServices } from './services.ts'
import { launchPoints } from './setup.ts'

const TIMEOUT_MS = 5000
const DAYS_AHEAD = 60

export async function siteHealth({ config, site, now }: Pick<DeskServices, 'config' | 'site' | 'now'>) {
  const [problem, certificates] = await Promise.all([siteProblem(config.siteUrl), certificatesOf(httpsUrls(config))])
  const { soon } = launchPoints(site().launch, config, now(), DAYS_AHEAD)
  const expiring = certificates.filter(({ expiresAt }) => expiresAt < now() + DAYS_AHEAD * DAY)
  return {
    url: config.siteUrl,
    /** Null: the site answers. */
    problem,
    expiring: [
      ...soon.map(({ words }) => words),
      ...expiring.map(({ host, expiresAt }) => {
        const day = calendarDay(new Date(expiresAt).toISOString().slice(0, 10))
        return `The HTTPS certificate of ${host} is valid through ${day}. It’s usually renewed by itself.`
      }),
    ],
  }
}

async function siteProblem(url: string): Promise<string | null> {
  try {
    const { status } = await fetch(new URL('/healthz', url), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    return status === 200 ? null : `answers with an error (${status})`
  } catch {
    return 'doesn’t answer'
  }
}

async function certificatesOf(urls: readonly string[]) {
  const found = await Promise.all(urls.map(async url => ({ host: new URL(url).host, expiresAt: await expiryOf(url) })))
  return found.flatMap(({ host, expiresAt }) => (expiresAt === null ? [] : [{ host, expiresAt }]))
}
