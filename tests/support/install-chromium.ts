/** Runs before `npm test`: makes sure that there is a Chromium, or says what was tried. */
import { installChromium } from './chromium.ts'

try {
  installChromium()
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
