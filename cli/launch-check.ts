/** `npm run launch-check`: says what must be settled before the site goes public, and exits 1 while anything is open. */
import { launchProblems } from '../domain/launch.ts'

const problems = launchProblems(new Date().toISOString().slice(0, 10))
if (problems.length === 0) {
  console.log('Nothing in the content keeps the site from going public.')
} else {
  console.log(`Not ready for the public. ${problems.length} things to settle in content/:`)
  for (const problem of problems) console.log(`  - ${problem}`)
  process.exitCode = 1
}
