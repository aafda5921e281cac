/** The page for visitors we can't help with SSDI: kind, never a rejection. */

import type { decline as english } from '../en/decline.ts'
import type { Translation } from '../languages.ts'
import { officialLinks as links } from '../links.ts'
import { organization } from '../organization.ts'
import type { DeclineCopy } from '../types.ts'
import { figures } from './figures.ts'
import { relay, weAnswerIn } from './shared.ts'

const nextItems = [
  'Empiece por Medicaid. Puede averiguar por internet si podría tener cobertura.',
  [
    'Aun así, puede solicitar SSDI por su cuenta, gratis, en ',
    { text: 'ssa.gov', href: links.socialSecurityDisability.es },
    '.',
  ],
  `Las cosas cambian. Si deja de trabajar, si su salud empeora o si cumple ${figures.audienceAge} años, vuelva a contestar las preguntas.`,
  '¿Tocó la respuesta equivocada? Puede contestar las preguntas otra vez.',
] as const

export const decline = {
  title: `Medicaid y otros programas de salud | ${organization.name}`,
  description:
    'Otros programas, además de SSDI, que podrían ayudarle: Medicaid, Medicare y Seguridad de Ingreso Suplementario.',
  heading: 'Todavía es posible que califique para Medicaid u otros programas de salud',
  lead: 'Según sus respuestas, solicitar SSDI con nuestra ayuda no parece lo más indicado por ahora. Esto no es un juicio sobre usted ni sobre su salud, y tampoco es una decisión sobre SSDI: esa solo puede tomarla la Administración del Seguro Social. Estos programas ayudan a muchas personas en su situación.',
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
      text: 'Un pago mensual para personas con una incapacidad, o de 65 años o más, que tienen ingresos y ahorros limitados. No necesita haber trabajado. No se ofrece en Puerto Rico.',
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
