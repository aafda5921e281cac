/** The panel's copy, with and without JavaScript, except for the questions and the contact form. */

import type * as english from '../en/questionnaire.ts'
import type { Translation } from '../languages.ts'
import { organization } from '../organization.ts'
import type { PlainFormCopy, QuestionnaireCopy } from '../types.ts'
import { claims } from './claims.ts'
import { questionCount } from './questions.ts'
import { weAnswerIn, weCallIn } from './shared.ts'

export const questionnaire = {
  progressStart: 'Inicio',
  percentComplete: (percent: number) => `${percent}% completo`,
  lastStep: 'Último paso',
  progressLabel: (step: number, total: number) => `Progreso: paso ${step} de ${total}`,
  place: (number: number, total: number) => `Pregunta ${number} de ${total}`,
  yes: 'Sí',
  no: 'No',
  reassurance: claims.confidential && `Gratis y ${claims.confidential}`,
  back: 'Atrás',
  startOver: 'Empezar de nuevo',
  /** While the visitor waits for the decline page. */
  wrongAnswer: '¿Tocó la respuesta equivocada? Regrese',
  sent: {
    heading: 'Ya tenemos sus datos',
    text: `No necesita enviarlos otra vez. Le llamará un representante. ${weCallIn}`,
    link: '¿Qué sigue ahora?',
  },
  loading: 'Le estamos buscando un representante calificado en casos de incapacidad…',
  stillLoading: 'Todavía está cargando…',
  scriptMissing: {
    call: `Llame al ${organization.phone}`,
    heading: 'No se cargaron las demás preguntas.',
    text: `Tal vez se cortó la conexión. Cargue la página otra vez, o llámenos y las contestamos juntos. ${weAnswerIn}`,
    form: 'O llene este formulario:',
    /** On a static host, which has no plain form to fall back on. */
    withoutForm: `Si no ve las preguntas, llámenos y las contestamos juntos. ${weAnswerIn}`,
  },
} as const satisfies QuestionnaireCopy & Translation<typeof english.questionnaire>

/** The no-JavaScript form, and the page that redisplays it with errors. */
export const plainForm = {
  questionsHeading: `${questionCount.first} preguntas`,
  contactHeading: 'Cómo podemos comunicarnos con usted',
  callLanguage: weCallIn,
  unanswered: 'Por favor, conteste esta pregunta',
  problem: {
    title: `Error: revise sus respuestas | ${organization.name}`,
    description: 'En el formulario falta algo o hay algo que corregir.',
    heading: 'Hay algo que corregir',
    lead: 'No se perdió nada: lo que escribió está aquí abajo. Corrija lo que está marcado y presione el botón otra vez.',
  },
} as const satisfies PlainFormCopy & Translation<typeof english.plainForm>
