/**
 * `npm run dev`: the site while it is being worked on. A change shows by itself; leads go into a store of their own and to a
 * webhook that this terminal shows. What the settings say of the real store and the real webhook is left alone.
 */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { createServer as createVite } from 'vite'
import { loadConfigOrExit, places, root, siteOptions } from '../site-build.ts'
import { createPageServer } from './pages.ts'
import { startScratchLeads } from './scratch-leads.ts'
import { createTypeWatch } from './watch-types.ts'

const HELP = `npm run dev [-- --show-contacts]

Serves the site while you work on it. A change in content/, in a section or in the styles shows by itself.
Leads that you send are kept in a scratch store, emptied at each start, and are shown here as a webhook would get them.

  --show-contacts   show names, dates of birth, e-mail addresses and phone numbers in full; otherwise only their first letter
  --help            this text`

const { values } = parseArgs({ options: { 'show-contacts': { type: 'boolean' }, help: { type: 'boolean' } } })
if (values.help) {
  console.log(HELP)
  process.exit()
}

const config = loadConfigOrExit()
const server = createServer()
const vite = await createVite({
  ...siteOptions(config, places),
  // Its stack traces say in fifty lines what pages.ts says in three.
  logLevel: 'silent',
  server: { middlewareMode: { server }, hmr: { server }, host: config.host },
})
const leads = await startScratchLeads(config, { showContacts: values['show-contacts'] === true })
const pages = await createPageServer(vite, config)
vite.middlewares.use(async (request, response) => {
  const site = await pages.site()
  if (site !== null && leads.isFor(request)) leads.handle(site, request, response)
  else await pages.handle(request, response)
})
server.on('request', vite.middlewares)
server.on('error', (error: NodeJS.ErrnoException) => {
  console.error(
    error.code === 'EADDRINUSE'
      ? `Port ${config.port} is in use. Stop what uses it, or set PORT to another number.`
      : `The development server cannot listen on ${config.host}:${config.port} (${error.code}).`,
  )
  process.exit(1)
})
server.listen(config.port, config.host, () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  console.log(`
  The site             http://${config.host}:${port}
  Leads that you send  ${leads.folder}: look with DATA_DIR=${leads.folder} npm run leads -- list
  The webhook          shown here${config.webhookUrl === null ? '' : '; LEAD_WEBHOOK_URL gets nothing from this server'}

  Change something in content/ and it shows. Add ?variant=NAME to see a variant of a page. Ctrl+C ends it.
`)
})
const lookAtTypes = createTypeWatch(root)
lookAtTypes()
vite.watcher.on('all', lookAtTypes)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await leads.stop()
    process.exit()
  })
}
