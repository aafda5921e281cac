/** Text on every page: header, footer, skip link. */

import type * as english from '../en/shared.ts'
import { launchFacts, type Translation } from '../languages.ts'
import type { LegalLinkWords } from '../links.ts'
import { organization } from '../organization.ts'
import type { FooterCopy, HeaderCopy } from '../types.ts'
import { claims } from './claims.ts'

const { answeredBy, stopWord } = launchFacts.es

/** In which language we call, wherever we promise a call, and answer, wherever we ask for one. */
export const weCallIn = answeredBy
  ? 'Le llamaremos en español.'
  : 'Quizás le llamemos en inglés. Si no lo habla, tenga cerca a alguien que le ayude.'
export const weAnswerIn = answeredBy ? 'Contestamos en español.' : 'Es posible que le contesten en inglés.'

/** What to reply to a text message to get no more of them. */
export const stop = stopWord ? `STOP (o ${stopWord})` : 'STOP'

/** Next to each page's main phone number. */
export const relay = organization.takesRelayCalls ? '¿Tiene sordera o no oye bien? Marque primero el 711.' : null

/** For legal pages: {{relay}}, {{answers}}, and {{stop}}. */
export const legalWords = { relay: relay ?? '', answers: weAnswerIn, stop } as const satisfies Translation<
  typeof english.legalWords
>

/** For search engines and home screens. */
export const description =
  'Una organización privada que ayuda a las personas que no pueden trabajar por una incapacidad a solicitar el Seguro por Incapacidad del Seguro Social.'

export const header = {
  skipLink: 'Ir al contenido principal',
  homeLabel: `${organization.name}, inicio`,
  callLabel: 'Llámenos',
  languagesLabel: 'Idioma',
} as const satisfies HeaderCopy & Translation<typeof english.header>

export const footer = {
  callLead: `¿Tiene preguntas? Llámenos gratis. ${weAnswerIn}`,
  relay,
  affiliation: `${organization.name} es una organización privada. No es parte del gobierno. No está afiliada a la Administración del Seguro Social ni a otra agencia del gobierno, y ninguna la respalda ni la recomienda.`,
  notLegalAdvice: 'Este sitio da información general. No es asesoría legal.',
  hoursLabel: 'Horario:',
  addressLabel: 'Dirección:',
  peopleLabel: 'Nuestro equipo:',
  emailLabel: 'Correo electrónico:',
  credentialsLabel: 'Acreditaciones:',
  linksLabel: 'Sobre este sitio web',
  badges: { noFees: 'Si no gana su caso, no paga honorarios', secure: claims.secure, rated: claims.rated },
  badgesLabel: 'Nuestros compromisos',
  fiveStars: claims.fiveStars,
  copyright: `© ${organization.name}`,
} as const satisfies FooterCopy & Translation<typeof english.footer>

export const links = {
  privacy: 'Política de privacidad',
  terms: 'Términos de uso',
  termsOfService: 'Términos de uso',
  hipaa: 'Aviso sobre la ley HIPAA',
  contact: 'Contáctenos',
  help: 'Ayuda',
  accessibility: 'Accesibilidad',
  inEnglish: text => `${text} (en inglés)`,
} as const satisfies LegalLinkWords
