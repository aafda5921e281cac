/** The contact form's copy: labels, messages, toasts, and the consent that the visitor signs. */

import { createConsent } from '../consent.ts'
import type * as english from '../en/contact-form.ts'
import type { Translation } from '../languages.ts'
import { legalLink } from '../links.ts'
import { organization } from '../organization.ts'
import type { ContactFormWords, ContactMessages, ToastsCopy } from '../types.ts'
import { figures } from './figures.ts'
import { links, stop, weCallIn } from './shared.ts'

export const contactForm = {
  heading: '¡Ya casi termina! Es posible que califique para los beneficios de SSDI',
  lead: '¡Creemos que podemos ayudarle con su solicitud!',
  fields: {
    firstName: { label: 'Nombre' },
    lastName: { label: 'Apellidos' },
    dateOfBirth: {
      label: 'Fecha de nacimiento',
      parts: { month: 'Mes', day: 'Día', year: 'Año' },
    },
    email: { label: 'Correo electrónico', why: 'Por si no logramos comunicarnos por teléfono.' },
    phone: {
      label: 'Número de teléfono',
      why: `Un representante le llamará a este número. Debe ser de Estados Unidos o de Puerto Rico. ${weCallIn}`,
      placeholder: '(555) 555-5555',
    },
  },
  optional: (label: string) => `${label} (opcional)`,
  didYouMean: (domain: string) => `¿Quiso decir ${domain}?`,
  noEmail: `¿No tiene correo? Llame al ${organization.phone}.`,
  noSocialSecurityNumber: 'No necesita dar su número de Seguro Social.',
  submit: '¡Sí, llámenme!',
  submitting: 'Enviando…',
  /** Announced to screen readers while the button says “Enviando…”. */
  sending: 'Estamos enviando sus datos. Un momento, por favor.',
  back: 'Atrás',
  clear: 'Borrar todo',
  allRequired: 'Por favor, llene todos los espacios.',
  errorTitlePrefix: 'Error. ',
} as const satisfies ContactFormWords & Translation<typeof english.contactForm>

export const contactMessages = {
  firstNameRequired: 'Escriba su nombre',
  lastNameRequired: 'Escriba sus apellidos',
  dateOfBirthRequired: 'Escriba su fecha de nacimiento',
  dateImpossible: 'Revise la fecha',
  ageOutOfBounds: 'Debe tener al menos 18 años',
  /** These are asked once. If the visitor sends the same value again, it counts. */
  ageContradictory: `Nos dijo que tiene ${figures.questionAges} años, pero con esta fecha sale otra edad. Revise la fecha, por favor. Si está bien, presione el botón otra vez.`,
  nameDoubtful: 'Revise el nombre, por favor. Si está bien, presione el botón otra vez.',
  emailDoubtful: 'Revise lo que escribió después de la @, por favor. Si está bien, presione el botón otra vez.',
  phoneDoubtful: 'Revise el número, por favor. Si está bien, presione el botón otra vez.',
  emailRequired: 'Escriba su correo electrónico',
  emailInvalid: 'Revise su correo electrónico. Ejemplo: nombre@gmail.com',
  phoneRequired: 'Escriba su número de teléfono',
  phoneInvalid: 'Escriba un número de teléfono válido de 10 dígitos',
  phoneForeign: 'Solo podemos llamar a números de Estados Unidos o de Puerto Rico. Escriba uno de 10 dígitos.',
  nameTooLong: 'Es demasiado largo: use 100 letras como máximo',
  emailTooLong: 'Es demasiado largo: use 254 caracteres como máximo',
} as const satisfies ContactMessages & Translation<typeof english.contactMessages>

export const toasts = {
  incomplete: { title: 'Revise sus datos', text: 'Llene o corrija los espacios marcados para continuar.' },
  submissionFailed: {
    title: 'No se pudo enviar',
    text: 'Hubo un problema al enviar sus datos. Por favor, intente de nuevo.',
  },
  dismiss: 'Cerrar',
  regionLabel: 'Avisos',
} as const satisfies ToastsCopy & Translation<typeof english.toasts>

/** Stays next to the button after a failed submission, even after the toast closes. */
export const submissionFailedHelp = `Lo que escribió sigue aquí. Si vuelve a pasar, llámenos al ${organization.phone}.`

/** Shown instead if the visitor's device is offline. */
export const offlineHelp =
  'Parece que no tiene conexión a internet. No se preocupe: lo que escribió sigue aquí. Cuando vuelva la conexión, presione el botón otra vez.'

/** The text that the visitor signs. Any change creates a new version, whose hash is stored with every lead. */
export const consent = createConsent({
  notice:
    'Al presionar el botón, acepto recibir publicidad por llamada, mensaje de texto y correo electrónico. Los detalles están debajo del botón.',
  noticeLink: 'Los detalles están debajo del botón.',
  button: contactForm.submit,
  paragraphs: [
    `Al presionar “${contactForm.submit}”, lo que vale como mi firma electrónica, le doy a ${organization.name} mi consentimiento expreso por escrito para que me envíe publicidad sobre beneficios por incapacidad. ${organization.name} puede enviarme correos electrónicos a la dirección que di. También puede llamarme y enviarme mensajes de texto (SMS) al número de teléfono que di, aunque mi número esté en una lista “No llame” (Do Not Call). Acepto que para estas llamadas y estos mensajes de texto se pueda usar un sistema automático, y que en las llamadas se pueda usar una voz artificial (incluida la creada con inteligencia artificial) o pregrabada.`,
    `Mi consentimiento no es requisito para obtener ningún producto ni servicio: en vez de darlo, puedo llamar al ${organization.phone}.`,
    `La frecuencia de los mensajes de texto varía. Pueden aplicarse tarifas por mensajes de texto y datos. Puedo retirar mi consentimiento en cualquier momento: respondiendo ${stop} a un mensaje de texto, diciéndolo en una llamada o en la página /es/stop de este sitio web. Puedo responder HELP para recibir ayuda.`,
  ],
  privacyPolicy: legalLink('es', links, 'privacy'),
  stopPage: '/es/stop',
  privacyNotice: policy => `La ${policy} explica cómo se usan mis datos.`,
})
