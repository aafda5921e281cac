import { defineConfig } from 'vite'
import { DIST, siteOptions } from './build/site-build.ts'
import { loadConfig } from './server/config.ts'

export default defineConfig(() => siteOptions(loadConfig(), DIST))
