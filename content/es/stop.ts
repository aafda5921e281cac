/** The page where anyone can ask us to stop calling, texting, and emailing, and its two answers. */

import type { stopContact as english } from '../en/stop.ts'
import type { Translation } from '../languages.ts'
import { organization } from '../organization.ts'
import type { StopCopy } from '../types.ts'
import { relay, weAnswerIn } from './shared.ts'

export const stopContact = {
  title: `Dejar de recibir llamadas y mensajes | ${organization.name}`,
  description: 'Pídanos que dejemos de llamarle y de enviarle mensajes.',
  heading: 'Deje de recibir llamadas, mensajes de texto y correos',
  lead: 'Escriba su número de teléfono, su correo electrónico o ambos. Ya no le llamaremos ni le enviaremos mensajes de texto ni correos. No tiene que decirnos por qué.',
  fields: { phone: 'Número de teléfono', email: 'Correo electrónico' },
  button: 'No me contacten más',
  missing: 'Escriba un número de teléfono o un correo electrónico',
  call: `O díganoslo por teléfono. ${weAnswerIn}`,
  relay,
  done: {
    title: `Solicitud registrada | ${organization.name}`,
    description: 'Su solicitud quedó registrada.',
    heading: 'Listo. Dejaremos de contactarle.',
    text: 'Su solicitud quedó registrada. Es posible que todavía reciba una llamada o un mensaje que ya estaba en camino.',
    help: 'Si tenemos otro número o correo suyo, escríbalo también: use el botón Atrás de su navegador.',
    home: 'Volver al inicio',
    callLead: 'Si alguien le sigue llamando de nuestra parte, o si cambia de opinión, díganoslo:',
    relay,
  },
  notRecorded: {
    title: `Solicitud no registrada | ${organization.name}`,
    description: 'Su solicitud no quedó registrada.',
    heading: 'Su solicitud no quedó registrada',
    text: 'No pudimos registrar su solicitud. Por favor, llámenos y nosotros nos encargamos.',
    help: 'O use el botón Atrás de su navegador e inténtelo de nuevo en unos minutos.',
    home: 'Volver al inicio',
    callLead: 'Nuestro número:',
    relay,
  },
} as const satisfies StopCopy & Translation<typeof english>
