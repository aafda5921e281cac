/** What the page itself says in the questionnaire, and the whole of it as visitors see it. */
import { data } from '../../site-folder/data.ts'
import type { InEachLanguage } from '../../site-folder/types.ts'
import { type PanelCopy, type PanelTexts, panelTextsOf } from './copy-of.ts'
import { panelCopy } from './panel-copy.ts'

export const panelTexts: InEachLanguage<PanelTexts> = { en: panelTextsOf(data, 'en'), es: panelTextsOf(data, 'es') }

export const shownQuestionnaire: InEachLanguage<PanelCopy & PanelTexts> = {
  en: { ...panelCopy.en, ...panelTexts.en },
  es: { ...panelCopy.es, ...panelTexts.es },
}
