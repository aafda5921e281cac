import { defineConfig } from 'vite'
import { DIST, siteOptions } from './build/site-build.ts'
import { readConfig } from './server/config.ts'

export default defineConfig(() => siteOptions(readConfig(), DIST))
