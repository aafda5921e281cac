/** The page for visitors we can't help with SSDI: kind, never a rejection. */

import type { decline as english } from '../en/decline.ts'
import type { Translation } from '../languages.ts'
import { officialLinks as links, socialSecurityPhone } from '../links.ts'
import { organization } from '../organization.ts'
import type { DeclineCopy } from '../types.ts'
import { figures } from './figures.ts'
import { relay, weAnswerIn } from './shared.ts'

const nextItems = [
  'Empiece por Medicaid. Puede averiguar por internet si podría tener cobertura.',
  [
    'Si todavía no recibe SSDI, puede solicitarlo por su cuenta, gratis, en ',
    { text: 'ssa.gov', href: links.socialSecurityDisability.es },
    ' o por teléfono, también en español, al ',
    socialSecurityPhone,
    '.',
  ],
  `Las cosas cambian. Si deja de trabajar, si su salud empeora o si cumple ${figures.audienceAge} años, vuelva a contestar las preguntas.`,
  '¿Tocó la respuesta equivocada? Puede contestar las preguntas otra vez.',
] as const

/**
 * By question, for people whose answer to it was the other one. General information about Social Security's rules: never say that
 * someone qualifies.
 */
const aboutSsdi = { text: 'Lea sobre SSDI en ssa.gov', href: links.socialSecurityDisability.es }
const reasons = {
  outOfWorkDueToCondition: {
    title: 'Si trabaja, o dejó de trabajar por otra razón',
    text: 'SSDI es para personas que no pueden trabajar por su salud. Algunas trabajan un poco: el Seguro Social se fija en cuánto ganan al mes. Si más adelante su salud le obliga a trabajar menos o a dejar el trabajo, puede solicitarlo entonces.',
    link: aboutSsdi,
  },
  outOfWorkForAYear: {
    title: 'Si lleva menos de un año sin trabajar',
    text: `No tiene que esperar un año para solicitar SSDI. El Seguro Social pide que el padecimiento haya durado al menos ${figures.impairmentDuration}, o que se espere que dure ese tiempo o que cause la muerte. Si el suyo puede durar eso, puede solicitarlo ya, por su cuenta y gratis.`,
    link: { text: 'Haga la solicitud en ssa.gov', href: links.socialSecurityDisability.es },
  },
  receivesSsdi: {
    title: 'Si ya recibe SSDI',
    text: `No tiene que volver a solicitarlo. Con una cuenta en el sitio web del Seguro Social puede ver sus pagos y cambiar su dirección. Si una carta dice que le van a quitar los beneficios, puede apelar. La carta dice cuánto tiempo tiene para apelar. Para seguir recibiendo los beneficios durante la apelación, es posible que deba pedirlo en un plazo de ${figures.continuationDays}.`,
    link: { text: 'Su cuenta del Seguro Social (en inglés)', href: links.socialSecurityAccount.es },
  },
  workedFiveOfTenYears: {
    title: `Si no trabajó ${figures.workHistory}`,
    text: 'Cuánto hay que haber trabajado depende de la edad que usted tenía cuando empezó su padecimiento. Si era joven, quizás necesite menos. Hay personas que reciben beneficios por lo que trabajó su padre o su madre, o un esposo o esposa que ya murió. El programa SSI (vea más arriba) no exige haber trabajado.',
    link: aboutSsdi,
  },
  hasAttorney: {
    title: 'Si ya tiene abogado',
    text: 'Su abogado conoce su caso, así que pregúntele primero. Usted tiene derecho a cambiar de representante. Para hacerlo, escriba al Seguro Social. Es posible que todavía le deba honorarios a su primer abogado.',
    link: { text: 'Lea sobre los representantes (en inglés)', href: links.representation.es },
  },
  ageInBounds: {
    title: `Si no tiene ${figures.questionAges} años`,
    text: `Nosotros ayudamos solo a personas ${figures.audienceAgeRange} años, pero SSDI es también para otras edades. Los adultos pueden solicitarlo hasta que llegan a la plena edad de jubilación, ahora los ${figures.fullRetirementAge}. Después hay beneficios de jubilación.`,
    link: aboutSsdi,
  },
} as const

export const decline = {
  title: `Medicaid y otros programas de salud | ${organization.name}`,
  description:
    'Otros programas, además de SSDI, que podrían ayudarle: Medicaid, Medicare y Seguridad de Ingreso Suplementario.',
  heading: 'Todavía es posible que califique para Medicaid u otros programas de salud',
  lead: 'Según sus respuestas, solicitar SSDI con nuestra ayuda no parece lo más indicado por ahora. Esto no es una opinión sobre usted ni sobre su salud. Tampoco es una decisión sobre SSDI: esa solo puede tomarla la Administración del Seguro Social. Los programas de abajo podrían ayudarle.',
  reasonsHeading: 'Por qué ahora no, y qué puede hacer',
  reasons,
  programsHeading: 'Tres programas que vale la pena conocer',
  programs: [
    {
      icon: 'medicaid',
      title: 'Medicaid',
      text: 'Cobertura médica gratis o de bajo costo para personas de bajos ingresos. Puede solicitarla en cualquier época del año.',
      link: { text: 'Vea si califica para Medicaid', href: links.medicaid.es },
    },
    {
      icon: 'medicare',
      title: 'Medicare',
      text: 'Seguro médico federal para personas de 65 años o más, y para algunas personas más jóvenes que reciben SSDI o tienen ciertos padecimientos.',
      link: { text: 'Lea sobre Medicare', href: links.medicare.es },
    },
    {
      icon: 'income',
      title: 'Seguridad de Ingreso Suplementario (SSI)',
      text: 'Un pago mensual para personas con una incapacidad, o de 65 años o más, que tienen ingresos y ahorros limitados. No necesita haber trabajado. No se ofrece en Puerto Rico, Guam, Samoa Americana ni las Islas Vírgenes.',
      link: { text: 'Lea sobre SSI', href: links.supplementalSecurityIncome.es },
    },
  ],
  external: '(sitio web oficial del gobierno)',
  next: {
    heading: 'Lo que puede hacer ahora',
    items: nextItems,
    again: 'Contestar las preguntas otra vez',
  },
  call: {
    heading: '¿Quiere hablar con alguien?',
    text: `Llámenos. Alguien le escuchará y le dirá con franqueza lo que podemos y lo que no podemos hacer. ${weAnswerIn}`,
    label: `Llame al ${organization.phone}`,
    relay,
    hours: organization.hours?.es ?? null,
  },
} as const satisfies DeclineCopy & Translation<typeof english>
