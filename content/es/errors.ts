/** The 404 page and the error pages. The panel shows some of the same text. */

import type * as english from '../en/errors.ts'
import type { Translation } from '../languages.ts'
import { organization } from '../organization.ts'
import type { NotFoundCopy, ProblemCopy } from '../types.ts'
import { relay, weAnswerIn } from './shared.ts'

export const notFound = {
  title: `Página no encontrada | ${organization.name}`,
  description: 'No hay ninguna página en esta dirección.',
  heading: '404',
  text: 'Lo sentimos: no encontramos esta página',
  help: 'Puede que la dirección tenga un error o que la página haya cambiado de lugar.',
  home: 'Volver al inicio',
  callLead: `O llámenos y le ayudamos a encontrar lo que necesita. ${weAnswerIn}`,
  relay,
  consoleNote: 'Página no encontrada:',
} as const satisfies NotFoundCopy & Translation<typeof english.notFound>

export const applicationError = {
  title: `Algo salió mal | ${organization.name}`,
  description: 'No se pudo mostrar esta página.',
  heading: 'Lo sentimos, algo salió mal',
  text: 'La falla fue nuestra, no suya. Por favor, intente de nuevo en un minuto.',
  home: 'Volver al inicio',
  callLead: `O llámenos y tomamos sus datos por teléfono. ${weAnswerIn}`,
  relay,
} as const satisfies ProblemCopy & Translation<typeof english.applicationError>

/** Shown when the plain form can't be submitted. */
export const submissionError = {
  title: `No se pudo enviar | ${organization.name}`,
  description: 'No se pudo enviar el formulario.',
  heading: 'No se pudo enviar',
  text: 'Hubo un problema al enviar sus datos. Por favor, intente de nuevo.',
  help: 'Use el botón “Atrás” (la flecha) de su navegador. Lo que escribió debería seguir ahí.',
  home: 'Volver al inicio',
  callLead: `O llámenos y tomamos sus datos por teléfono. ${weAnswerIn}`,
  relay,
} as const satisfies ProblemCopy & Translation<typeof english.submissionError>
