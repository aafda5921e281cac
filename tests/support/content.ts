/**
 * The content as tests see it. An operator can hide any section and turn Spanish off, so these types don't promise more than
 * every site has.
 */

import { pathInLanguage } from '../../domain/languages.ts'
import { languages, testimonialsIn, words } from '../../site-folder/site.ts'
import type { AdvertorialCopy, LandingCopy, QuestionnaireCopy, ThankYouCopy } from '../../site-folder/types.ts'

const { en } = words

export const landing: LandingCopy = en.landing
export const advertorial: AdvertorialCopy = en.advertorial
export const questionnaire: QuestionnaireCopy = en.questionnaire
export const thankYou: ThankYouCopy = en.thankYou

/** The section isn't shown without testimonials. */
export const testimonials = landing.socialProof === null ? [] : testimonialsIn('en')

/** The buttons that lead to the form. */
export const callsToAction = [landing.painPoints, landing.howItWorks, landing.urgency].flatMap(
  section => section?.cta ?? [],
)

export const faqQuestions = (landing.faq?.items ?? []).flatMap(item => item?.question ?? [])

/** The paths in each of the site's languages. */
export const inEachLanguage = (...paths: readonly string[]) =>
  languages.flatMap(language => paths.map(path => pathInLanguage(language, path)))
