import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { inlineScript } from './build/inline-script.ts'
import { staticPages } from './build/static-pages.ts'
import { readConfig } from './server/config.ts'

export default defineConfig(() => {
  const config = readConfig()
  return {
    plugins: [react(), tailwindcss(), inlineScript(), staticPages(config, join(import.meta.dirname, 'dist'))],
    server: { host: config.host, port: config.port },
  }
})
