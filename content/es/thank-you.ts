/** The confirmation page: reassurance first, then what happens next. */

import type { thankYou as english } from '../en/thank-you.ts'
import type { Translation } from '../languages.ts'
import { organization } from '../organization.ts'
import type { ThankYouCopy } from '../types.ts'
import { figures } from './figures.ts'
import { relay, stop, weAnswerIn, weCallIn } from './shared.ts'

const hours = organization.hours?.es ?? null

/** “De lunes a viernes” within a sentence. */
const inside = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

const inHours = hours === null ? '' : ` en nuestro horario (${inside(hours)})`

/** “la 1:00 p.m.”, but “las 2:00 p.m.” */
const article = (time: string) => (time.startsWith('1:') ? 'la' : 'las')

export const thankYou = {
  title: `Usted precalifica | ${organization.name}`,
  description: 'Qué sigue después de enviarnos sus datos.',
  badge: 'Usted precalifica',
  headline: `Usted precalifica para recibir hasta ${figures.maximumBenefit} en beneficios de SSDI`,
  lead: `Si ya nos envió sus datos, por hoy usted ya hizo su parte, y un representante en casos de incapacidad le llamará${inHours}. ${weCallIn}`,
  sentLead: `Ya tenemos sus datos. Por hoy, usted ya hizo su parte. Un representante en casos de incapacidad le llamará${inHours}. ${weCallIn}`,
  /** By when we'll call, if `callbacks` in content/organization.ts is filled in. */
  callback: {
    today: (time: string) => `Le llamaremos hoy antes de ${article(time)} ${time}.`,
    tomorrow: (time: string) => `Le llamaremos mañana antes de ${article(time)} ${time}.`,
    later: (day: string, time: string) => `Le llamaremos el ${day} antes de ${article(time)} ${time}.`,
    /** 6:00 p.m., hora del Este */
    time: (clock: string, zone: string) => `${clock.replace('AM', 'a.m.').replace('PM', 'p.m.')}, ${zone}`,
    zones: {
      Eastern: 'hora del Este',
      Central: 'hora del Centro',
      Mountain: 'hora de la Montaña',
      Arizona: 'hora de Arizona',
      Pacific: 'hora del Pacífico',
      Alaska: 'hora de Alaska',
      Hawaii: 'hora de Hawái',
      Atlantic: 'hora de Puerto Rico',
    },
  },
  number: {
    before: 'Nuestro número es el ',
    shown: organization.phone,
    after: organization.callsComeFromPhone
      ? '. Le llamaremos desde ese número: guárdelo y así sabrá que somos nosotros.'
      : '. Téngalo a la mano. Es posible que nuestra llamada venga de otro número.',
  },
  saveNumber: 'Guarde nuestro número en sus contactos',
  callLabel: `Llame al ${organization.phone}`,
  relay,
  callHint: `¿No quiere esperar, o escribió mal su número? Llámenos ahora. La llamada es gratis. ${weAnswerIn}`,
  nextHeading: '¿Qué sigue ahora?',
  steps: [
    {
      title: 'Hablamos con usted',
      text: 'Su representante le llama, le escucha y contesta sus preguntas. Usted decide si quiere seguir adelante.',
    },
    {
      title: 'Reunimos los documentos',
      text: 'Juntos hacemos una lista de sus médicos, sus tratamientos y sus empleos, y le ayudamos a pedir los expedientes médicos.',
    },
    {
      title: 'Presentamos la solicitud',
      text: 'Preparamos la solicitud con usted, la presentamos y le mantenemos al tanto hasta que haya una decisión.',
    },
  ],
  keep: {
    heading: 'Lo que conviene saber',
    items: [
      {
        title: 'Quién le llamará',
        text: `Un representante de ${organization.name}. Si tiene dudas de que seamos nosotros, cuelgue y llame al ${organization.phone}.`,
      },
      hours === null
        ? null
        : {
            title: 'Cuándo llamamos',
            text: `${hours.replace(/\.$/, '')}. Si no pudo contestar nuestra llamada, llámenos en ese horario.`,
          },
      {
        title: 'Qué conviene tener a la mano',
        text: 'Si puede: los nombres de sus médicos y de sus últimos empleadores. Si ahora no los tiene, no hay problema.',
      },
      {
        title: 'Si cambia de opinión',
        text: `Díganoslo por teléfono, o responda ${stop} a un mensaje de texto. Con eso basta.`,
        link: { text: 'También puede pedirnos aquí que no le contactemos más.', href: '/es/stop' },
      },
    ],
  },
  reminder: 'Si no gana su caso, no paga honorarios',
  reminderText: 'Hoy no paga nada, y no paga nada por adelantado.',
  /** In the tab that sent the form, for half an hour. */
  sayMore: {
    heading: '¿Está bien su número de teléfono?',
    wrong: '¿Número equivocado?',
    willCall: (phone: string) => `Le llamaremos al ${phone}.`,
    label: 'Su número de teléfono',
    consent: 'Lo que acepto',
    corrected: (phone: string) => `Gracias. Le llamaremos al ${phone}.`,
    refused: `No podemos cambiar eso aquí. Por favor, llámenos al ${organization.phone}.`,
    failed: `No se pudo enviar. Intente de nuevo o llámenos al ${organization.phone}.`,
    timeHeading: '¿A qué hora le conviene?',
    timeHint: 'Elija un horario y trataremos de llamarle entonces. Las horas son las del lugar donde usted está.',
    saved: (time: string) => `Gracias. Trataremos de llamarle en este horario: ${time}`,
  },
  notADecision:
    'Precalificar significa que sus respuestas cumplen nuestros requisitos básicos. No es una decisión: solo la Administración del Seguro Social decide si aprueba una solicitud y cuánto paga.',
} as const satisfies ThankYouCopy & Translation<typeof english>
