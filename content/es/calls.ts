/** What your team says on the phone. */
import type { calls as english } from '../en/calls.ts'
import type { Translation } from '../languages.ts'
import { organization } from '../organization.ts'
import type { CallWords } from '../types.ts'

export const calls = {
  /** Read to someone who never sent the form. Any change creates a new version, whose hash is stored with everyone who says yes. */
  spokenConsent: `¿Puede ${organization.name} llamarle al número de teléfono que me dio, con información sobre beneficios por incapacidad? Le llamará una persona: sin llamadas automáticas, sin mensajes de texto y sin voces creadas con inteligencia artificial. No tiene que decir que sí para recibir nuestra ayuda, y puede pedirnos en cualquier momento que dejemos de llamarle.`,
} as const satisfies CallWords & Translation<typeof english>
