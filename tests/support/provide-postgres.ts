/** One PostgreSQL server for all unit tests of a run; each test makes a database of its own on it. */
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export default async function setup(project: TestProject) {
  const named = process.env['TEST_DATABASE_URL']
  if (named) {
    project.provide('postgresUrl', named)
    return
  }
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return () => server.remove()
}
