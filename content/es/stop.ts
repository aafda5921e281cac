/** The page where anyone can ask us to stop calling, texting, and emailing, and its two answers. */

import type { stopContact as english } from '../en/stop.ts'
import type { Translation } from '../languages.ts'
import { organization } from '../organization.ts'
import type { StopCopy } from '../types.ts'
import { relay, weAnswerIn } from './shared.ts'

export const stopContact = {
  title: `Dejar de recibir llamadas y mensajes | ${organization.name}`,
  description: 'Pídanos que dejemos de llamarle y de enviarle mensajes.',
  heading: 'Deje de recibir llamadas, mensajes y correos',
  lead: 'Escriba su número, su correo o los dos. Ya no le llamaremos. Tampoco le enviaremos mensajes de texto ni correos. No tiene que decirnos por qué.',
  fields: { phone: 'Número de teléfono', email: 'Correo electrónico' },
  button: 'No me contacten más',
  missing: 'Escriba un número de teléfono o un correo electrónico',
  call: `O díganoslo por teléfono. ${weAnswerIn}`,
  relay,
  done: {
    title: `Petición anotada | ${organization.name}`,
    description: 'Ya anotamos su petición.',
    heading: 'Listo. Dejaremos de contactarle.',
    text: 'Ya anotamos su petición. Es posible que todavía reciba una llamada o un mensaje que ya estaba en camino.',
    help: 'Si nos dio otro número o correo, regrese con el botón “Atrás” (la flecha) de su navegador y escríbalo también.',
    home: 'Volver al inicio',
    callLead: `Si alguien le sigue llamando de nuestra parte, o si cambia de opinión, díganoslo. ${weAnswerIn}`,
    relay,
  },
  notRecorded: {
    title: `Petición no anotada | ${organization.name}`,
    description: 'No pudimos anotar su petición.',
    heading: 'No pudimos anotar su petición',
    text: 'Algo falló. Por favor, llámenos y nosotros nos encargamos.',
    help: 'O regrese con el botón “Atrás” (la flecha) de su navegador e intente de nuevo en unos minutos.',
    home: 'Volver al inicio',
    callLead: `Llámenos. ${weAnswerIn}`,
    relay,
  },
} as const satisfies StopCopy & Translation<typeof english>
