/** Runs before `npm test`: makes sure that there are browsers to test with, or says what was tried. */
import { installEngines } from '../browsers/engines.ts'
import { installChromium } from './chromium.ts'

try {
  installChromium()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
installEngines()
