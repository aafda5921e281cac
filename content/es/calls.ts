/** What your team says on the phone. */
import type { calls as english } from '../en/calls.ts'
import type { Translation } from '../languages.ts'
import { organization } from '../organization.ts'
import type { CallWords } from '../types.ts'

export const calls = {
  opening: 'Hola, me llamo {agent}. ¿Puedo hablar con {name}, por favor?',
  reason: `Le llamo de ${organization.name}, una organización privada. No somos parte del gobierno. El {date}, usted nos pidió en {site} que le llamáramos para hablar de cómo solicitar beneficios por incapacidad. ¿Puede hablar ahora?`,
  spokenReason: `Le llamo de ${organization.name}, una organización privada. No somos parte del gobierno. Cuando nos llamó el {date}, nos dijo que podíamos llamarle para informarle sobre beneficios por incapacidad. ¿Puede hablar ahora?`,
  voicemail: `Hola, habla {agent}, con un mensaje para {name}. Por favor, llámenos al ${organization.phone}. Si ya no quiere recibir llamadas, díganoslo en ese mismo número. Gracias.`,
  ourWebsite: 'nuestro sitio web',
  /** Read to someone who never sent the form. Any change creates a new version, whose hash is stored with everyone who says yes. */
  spokenConsent: `¿Le da usted permiso a ${organization.name} para llamarle al número de teléfono que me dio e informarle sobre beneficios por incapacidad? Le llamará una persona: sin llamadas automáticas, sin mensajes de texto y sin voces creadas con inteligencia artificial. No tiene que decir que sí para recibir nuestra ayuda, y puede pedirnos en cualquier momento que dejemos de llamarle.`,
} as const satisfies CallWords & Translation<typeof english>
