/** The landing page's sections, in order. */

import type { landing as english } from '../en/landing.ts'
import type { Translation } from '../languages.ts'
import { officialLinks } from '../links.ts'
import { organization } from '../organization.ts'
import { pictures } from '../pictures.ts'
import type { LandingCopy } from '../types.ts'
import { claims } from './claims.ts'
import { figures } from './figures.ts'
import { questionCount } from './questions.ts'
import { relay, weAnswerIn } from './shared.ts'

/** The rest of the answer also reads well without these claims. */
function confidentiality(): string {
  const { confidential, hipaaProtected } = claims
  if (confidential && hipaaProtected)
    return `Sí. Lo que nos cuenta es ${confidential}, y su información de salud está ${hipaaProtected}. `
  if (confidential) return `Sí. Lo que nos cuenta es ${confidential}. `
  return hipaaProtected ? `Sí. Su información de salud está ${hipaaProtected}. ` : ''
}

const faqItems = [
  {
    question: '¿Por qué se deniegan tantas solicitudes?',
    answer: `En Estados Unidos se deniega ${figures.initialDenials} de las solicitudes iniciales. Una razón común es que falta evidencia médica. Que le denieguen la solicitud no es el final: puede apelar. Pero es mejor enviarla completa desde la primera vez, y en eso ayudamos.`,
  },
  {
    question: '¿Cuánto cuesta su ayuda?',
    answer: `No hay honorarios por adelantado. Solo hay honorarios si gana su caso, y no pasan del ${figures.feeShare} de sus pagos retroactivos ni de ${figures.feeCap}. Si no gana, no hay honorarios.`,
  },
  {
    question: '¿Cuánto tarda una decisión?',
    answer: `Las decisiones iniciales suelen tardar ${figures.initialDecisionTime}. Depende mucho de lo pronto que lleguen sus expedientes médicos, así que conviene pedirlos cuanto antes.`,
  },
  {
    question: '¿Son ustedes un bufete de abogados o parte del gobierno?',
    answer: [
      `Ni lo uno ni lo otro. ${organization.name} es una organización privada de representantes en casos de incapacidad. No somos un bufete de abogados, no damos asesoría legal y no somos parte de la Administración del Seguro Social. También puede presentar su solicitud por su cuenta, gratis, en `,
      { text: 'ssa.gov', href: officialLinks.socialSecurityDisability.es },
      '.',
    ],
  },
  {
    question: '¿Es confidencial lo que les cuento?',
    answer: `${confidentiality()}Sus datos los reciben ${organization.name}, su representante y las empresas que manejan datos para nosotros. Los usamos para ver si podemos ayudarle, para comunicarnos con usted de la manera que aceptó y para ayudarle con su solicitud.`,
  },
] as const

export const landing = {
  title: `Beneficios de SSDI de hasta ${figures.maximumBenefit}: vea si califica | ${organization.name}`,
  description: `¿No puede trabajar por una incapacidad? Con ${questionCount.inside} preguntas de sí o no, vea si podría calificar para beneficios de SSDI de hasta ${figures.maximumBenefit}. Es gratis.`,

  hero: {
    headline: `Es posible que califique para recibir hasta ${figures.maximumBenefit} en beneficios de SSDI`,
    lead: '¿No puede trabajar por una incapacidad?',
    picture: { alt: pictures.advocate.alt.es },
    panelTitle: 'Vea si califica',
    note: `SSDI son las siglas en inglés del Seguro por Incapacidad del Seguro Social. “Hasta ${figures.maximumBenefit}” es el beneficio más alto; el promedio es de ${figures.averageBenefit} al mes. ${organization.name} es una organización privada; no es parte del gobierno.`,
    promises: [
      { icon: 'no-fees', text: 'Si no gana su caso, no paga honorarios' },
      { icon: 'confidential', text: claims.confidential },
      { icon: 'quick', text: `Evaluación gratis en ${figures.checkDuration}` },
    ],
  },

  socialProof: {
    heading: 'Personas a las que hemos ayudado',
    /** Shown as the heading and under it if all testimonials are samples. */
    sampleHeading: 'Testimonios de ejemplo',
    sampleNote: 'Son para mostrar el diseño. No son de clientes reales.',
    /** Shown with each sample if some testimonials are real. */
    sampleLabel: 'Testimonio de ejemplo, para mostrar el diseño. No es de un cliente real.',
    starsLabel: claims.fiveStars,
  },

  whoQualifies: {
    heading: '¿Quién califica para SSDI?',
    lead: 'SSDI no es caridad: usted lo pagó con los impuestos que le descontaban del sueldo. Es posible que califique si cumple estas tres condiciones:',
    picture: { alt: pictures.papers.alt.es },
    rules: [
      {
        icon: 'condition',
        title: 'Su padecimiento no le permite trabajar',
        text: `Tiene un impedimento físico o mental que ha durado al menos ${figures.impairmentDuration}, o se espera que dure ese tiempo o que cause la muerte.`,
      },
      {
        icon: 'work',
        title: 'Ha trabajado y pagado al Seguro Social',
        text: `Ha tenido empleos en los que pagó impuestos de Seguro Social, por lo general durante ${figures.workHistory}.`,
      },
      {
        icon: 'age',
        title: 'Aún no llega a la plena edad de jubilación',
        text: `A esa edad, ahora los ${figures.fullRetirementAge}, los beneficios por incapacidad se convierten en beneficios de jubilación. Para las personas ${figures.audienceAgeRange} años, algunas reglas son más fáciles de cumplir.`,
      },
    ],
  },

  howItWorks: {
    heading: 'Cómo funciona',
    steps: [
      {
        title: 'Evaluación gratis',
        text: `Conteste aquí ${questionCount.inside} preguntas de sí o no. Toma ${figures.checkTakes}, es gratis y no le compromete a nada.`,
      },
      {
        title: 'Un representante para usted',
        text: 'Si parece que podría calificar, déjenos su número. Le llamará un representante en casos de incapacidad.',
      },
      {
        title: 'Ayuda con la solicitud',
        text: 'Su representante le ayuda a reunir sus expedientes médicos, prepara la solicitud con usted y da seguimiento a su caso hasta que haya una decisión.',
      },
    ],
    cta: 'Empiece ahora',
  },

  painPoints: {
    heading: 'Usted ya tiene bastante encima',
    lead: 'Cuando no se puede trabajar, todo se complica. No tiene que hacer este trámite sin ayuda.',
    picture: { alt: pictures.shoulder.alt.es },
    points: [
      {
        icon: 'bills',
        title: 'Las cuentas médicas',
        text: 'Ya no llega el sueldo, pero las cuentas siguen llegando. Un beneficio mensual puede devolverle la estabilidad.',
      },
      {
        icon: 'process',
        title: 'Un proceso confuso',
        text: 'Formularios largos, plazos estrictos, evidencia médica que debe estar completa. Sabemos qué pide el Seguro Social, y cuándo.',
      },
      {
        icon: 'toll',
        title: 'El desgaste físico y emocional',
        text: 'El dolor, la preocupación y la espera agotan. Con alguien a su lado, es más fácil seguir adelante.',
      },
    ],
    cta: 'Empiece su caso ahora',
  },

  urgency: {
    heading: `Solo quedan ${figures.spotsRemaining} lugares este mes`,
    lead: 'Las reglas del Seguro Social también tienen plazos:',
    reasons: [
      {
        title: 'Su cobertura puede terminar',
        text: `SSDI le cubre solo por un tiempo después de que usted deja de trabajar: ${figures.insuredAfterWork}, si trabajó de manera constante. Una incapacidad que empiece después no está cubierta.`,
      },
      {
        title: 'Los pagos retroactivos tienen un límite',
        text: `De los meses anteriores a su solicitud, el Seguro Social paga ${figures.retroactiveLimit} como máximo. Cada mes de espera puede ser un mes que nunca le paguen.`,
      },
    ],
    text: 'Averiguar si podría calificar es gratis, y usted decide qué hacer después.',
    cta: 'Reserve su lugar ahora',
  },

  faq: {
    heading: 'Lo que la gente nos pregunta',
    items: faqItems,
    call: {
      heading: '¿Prefiere hablar con alguien?',
      text: `Llámenos gratis. Ninguna pregunta está de más. ${weAnswerIn}`,
      label: `Llame al ${organization.phone}`,
      relay,
      hours: organization.hours?.es ?? null,
    },
  },

  disclaimer: {
    heading: 'Aviso importante',
    paragraphs: [
      `${organization.name} es una organización privada; no es parte del gobierno. No somos un bufete de abogados y no estamos afiliados a la Administración del Seguro Social ni a ninguna otra agencia del gobierno.`,
      `“Hasta ${figures.maximumBenefit}” es el beneficio mensual más alto; lo que usted recibiría depende de su historial de trabajo. El promedio es de ${figures.averageBenefit} al mes. Contestar las preguntas no garantiza que califique ni que se apruebe su solicitud. Solo la Administración del Seguro Social decide.`,
    ],
  },
} as const satisfies LandingCopy & Translation<typeof english>
