/** Runs before anything is painted, so that somebody who chose dark is not dazzled by a light page first. */
import { chosenTheme, showTheme } from './theme.ts'

showTheme(chosenTheme())
