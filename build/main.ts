/** Builds the site into `built/`, which the server serves, and `dist/`, for a static host: `npm run build`. */
import { SiteMistaken } from './mistakes.ts'
import { buildSite, loadConfigOrExit } from './site-build.ts'

try {
  await buildSite(loadConfigOrExit())
  console.log('The site is built: built/ for `npm start`, dist/ for a static host.')
} catch (error) {
  if (!(error instanceof SiteMistaken)) throw error
  console.error(`The site was not built.\n\n${error.message}\n`)
  process.exitCode = 1
}
