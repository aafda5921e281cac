/** The sentence that is read on the phone, and who it is stored for. */
import { callWords } from '../../content/calls.ts'
import { spokenConsentAsPresented } from '../../domain/as-presented.ts'
import type { CallLanguage } from '../../domain/calling/list.ts'
import type { Store } from '../../server/store/store.ts'

/** Returns its version, to store with whoever said yes to it. */
export const saveSpokenConsent = (store: Pick<Store, 'saveConsentText'>, language: CallLanguage): Promise<string> =>
  store.saveConsentText(
    spokenConsentAsPresented(callWords[language].spokenConsent, language, callWords.en.spokenConsent),
  )
