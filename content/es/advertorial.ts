/** The advertorial: one column, read from top to bottom, with the questionnaire at the end. */

import type { advertorial as english } from '../en/advertorial.ts'
import type { Translation } from '../languages.ts'
import { organization } from '../organization.ts'
import { pictures } from '../pictures.ts'
import type { AdvertorialCopy } from '../types.ts'
import { figures } from './figures.ts'
import { questionCount } from './questions.ts'

export const advertorial = {
  title: `¿Tiene ${figures.audienceAge} años o más y no puede trabajar? Quizás califique para SSDI | ${organization.name}`,
  description: `Contenido patrocinado. Si tiene ${figures.audienceAge} años o más y no puede trabajar por una incapacidad, es posible que califique para SSDI. Haga gratis la evaluación de ${figures.checkDuration}.`,

  sponsoredLabel: 'Contenido patrocinado',
  sponsoredBy: `Anuncio de ${organization.name}, una organización privada`,
  headline: `¿Tiene ${figures.audienceAge} años o más y no puede trabajar? Quizás califique para el seguro por incapacidad que usted ya pagó`,
  byline: `Por el equipo de ${organization.name}`,
  date: '{day} de {month} de {year}',
  months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  lead: `Casi todos pensamos en el Seguro Social como un programa para la jubilación. Muchos no sabemos que también nos cubre si nos enfermamos o nos lastimamos tanto que ya no podemos trabajar. Ese seguro se llama SSDI, el Seguro por Incapacidad del Seguro Social, y algunas de sus reglas son más fáciles de cumplir a partir de los ${figures.audienceAge} años.`,
  illustration: {
    alt: pictures.seniors.alt.es,
    caption: 'Unos papeles, un café y alguien con quien hablarlo: muchas solicitudes empiezan en la mesa de la cocina.',
  },
  earlyCta: 'Vea ahora si califica para SSDI',
  contentsHeading: 'En este artículo',

  average: { figure: figures.averageBenefit, label: 'al mes es el beneficio promedio de SSDI' },

  callout: {
    heading: 'Antes de seguir leyendo',
    text: `SSDI puede pagar hasta ${figures.maximumBenefit}; el promedio es de ${figures.averageBenefit} al mes. No llega solo: hay que solicitarlo. En ${figures.checkDuration}, y gratis, sabrá si podríamos ayudarle.`,
  },

  ageAdvantage: {
    heading: 'Por qué su edad es una ventaja',
    paragraphs: [
      `El Seguro Social no trata igual a una persona de 35 años que a una de 58. A partir de los ${figures.audienceAge}, sus reglas reconocen lo difícil que es aprender un oficio nuevo después de décadas en el mismo trabajo. Si ya no puede hacer el tipo de trabajo que hacía, usted podría calificar aunque una persona más joven con el mismo padecimiento no califique.`,
      'Sus muchos años de trabajo también ayudan. Cada vez que le descontaban el impuesto de Seguro Social de su sueldo, una parte iba al seguro por incapacidad. SSDI es el seguro que usted estaba pagando.',
    ],
  },

  provides: {
    heading: 'Lo que ofrece SSDI',
    items: [
      {
        title: 'Pagos mensuales',
        text: `Hasta ${figures.maximumBenefit}, según lo que ganaba cuando trabajaba.`,
      },
      {
        title: 'Medicare',
        text: `Cobertura médica después de ${figures.medicareWait} de recibir SSDI, aunque todavía no tenga 65 años.`,
      },
      {
        title: 'Protección de su jubilación',
        text: 'Por lo general, los años que reciba SSDI no reducen su beneficio de jubilación más adelante.',
      },
      {
        title: 'Pagos retroactivos',
        text: `Dinero por los meses en que ya tenía derecho a beneficios antes de que aprobaran su caso. De los meses anteriores a su solicitud, se pagan ${figures.retroactiveLimit} como máximo.`,
      },
      {
        title: 'Ayuda para su familia',
        text: 'Quizás su esposo o esposa, o sus hijos, también puedan recibir beneficios por los años que usted trabajó.',
      },
    ],
  },

  timing: {
    heading: 'No espere: el tiempo cuenta',
    paragraphs: [
      `Este seguro no dura para siempre. Su cobertura termina unos años después de que usted deja de trabajar: para quienes trabajaron de manera constante, ${figures.insuredAfterWork}. Una incapacidad que empiece después no está cubierta. Y de los meses anteriores a su solicitud, se pagan ${figures.retroactiveLimit} como máximo, así que cada mes que espere puede ser un mes que nunca le paguen.`,
      `También vale la pena hacer la solicitud con cuidado: se deniega ${figures.initialDenialsAdvertorial} de las solicitudes iniciales. Una solicitud completa le da más posibilidades de que la aprueben, y ayuda tener a su lado a alguien que ya conoce los formularios.`,
    ],
  },

  checkNow: {
    heading: 'Vea ahora si califica',
    text: `${questionCount.first} preguntas de sí o no, ${figures.checkTakes}, sin costo. Si parece que podría calificar y nos pide que le llamemos, un representante de ${organization.name} hablará con usted. Si no gana su caso, no paga honorarios.`,
  },

  sampleNote: 'Testimonio de ejemplo, para mostrar el diseño. No es de un cliente real.',
  boxTitle: 'Vea si califica para los beneficios de SSDI',
  footerNote: 'La cantidad de los beneficios varía según el historial de trabajo y las reglas vigentes.',
} as const satisfies AdvertorialCopy & Translation<typeof english>
