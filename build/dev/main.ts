/**
 * `npm run dev`: the site while you work on it. Changes appear automatically; leads go into a scratch store and to a fake
 * webhook that prints them in this terminal. The real store and the real webhook are never touched.
 */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { createServer as createVite } from 'vite'
import { root } from '../build.ts'
import { loadConfigOrExit, outputDirs, siteOptions } from '../site.ts'
import { findTypeErrors, formatSourceError } from '../source-errors.ts'
import { LEADS_FOLDER, startScratchLeads } from './leads.ts'
import { createPageServer } from './pages.ts'

const HELP = `npm run dev [-- --show-contacts]

Serves the site while you work on it. Changes in content/, in sections, and in styles appear automatically.
Leads you submit go into a scratch store, which is emptied at every start, and are shown here as a webhook would get them.

  --show-contacts   show names, dates of birth, emails, and phone numbers in full, not just their first letter
  --help            this text`

const { values } = parseArgs({ options: { 'show-contacts': { type: 'boolean' }, help: { type: 'boolean' } } })
if (values.help) {
  console.log(HELP)
  process.exit()
}

const config = loadConfigOrExit()
const server = createServer()
const vite = await createVite({
  ...siteOptions(config, outputDirs),
  // pages.ts says in three lines what Vite says in fifty.
  logLevel: 'silent',
  server: { middlewareMode: { server }, hmr: { server }, host: config.host },
})
const leads = await startScratchLeads(config, { showContacts: values['show-contacts'] === true })
const pages = await createPageServer(vite, config)
vite.middlewares.use(async (request, response) => {
  const site = await pages.site()
  if (site !== null && leads.isFor(request)) await leads.handle(site, request, response)
  else await pages.handle(request, response)
})
server.on('request', vite.middlewares)
server.on('error', (error: NodeJS.ErrnoException) => {
  console.error(
    error.code === 'EADDRINUSE'
      ? `Port ${config.port} is in use. Stop the program that uses it, or set PORT to another number.`
      : `Can’t listen on ${config.host}:${config.port} (${error.code}).`,
  )
  process.exit(1)
})
server.listen(config.port, config.host, () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  console.log(`
  The site             http://${config.host}:${port}
  Leads you submit     ${LEADS_FOLDER}: list them with DATA_DIR=${LEADS_FOLDER} npm run leads -- list
  The webhook          shown here${config.webhookUrl === null ? '' : '; LEAD_WEBHOOK_URL gets nothing from this server'}

  Edit something in content/ and the page updates. Add ?variant=NAME to see a variant of a page. Press Ctrl+C to stop.
`)
})

/** Debounce: an editor may save several files together. */
const DEBOUNCE_MS = 300
let timer: NodeJS.Timeout | undefined
let checked = Promise.resolve('')
const checkSoon = () => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    checked = checked.then(checkTypes)
  }, DEBOUNCE_MS)
}
checkSoon()
vite.watcher.on('all', checkSoon)

/** A missing or misnamed text is reported before anyone sees the page. At low priority: rendering goes first. */
async function checkTypes(before: string): Promise<string> {
  const errors = await findTypeErrors(root, { lowPriority: true })
  const found = errors.map(each => formatSourceError(each, root)).join('\n\n')
  if (found !== '' && found !== before) console.error(`\n${found}\n`)
  if (found === '' && before !== '') console.log('\n  No errors left.\n')
  return found
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await leads.stop()
    process.exit()
  })
}
