import { defineConfig } from 'vite'
import { DIST, loadConfigOrExit, siteOptions } from './build/site-build.ts'

export default defineConfig(() => siteOptions(loadConfigOrExit(), DIST))
