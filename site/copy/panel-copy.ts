/** The questionnaire's copy, by language. The build puts only the page's language into its script. */
import { data } from '../../site-folder/data.ts'
import type { InEachLanguage } from '../../site-folder/types.ts'
import { type PanelCopy, panelCopyOf } from './copy-of.ts'

export const panelCopy: InEachLanguage<PanelCopy> = { en: panelCopyOf(data, 'en'), es: panelCopyOf(data, 'es') }
