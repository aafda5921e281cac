/** For programs that tests start: compiled once for all of them, which halves what a start costs the processor. */
import { join } from 'node:path'

export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/compiled') }
