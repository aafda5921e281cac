import { expect } from 'vitest'
import { contactForm, contactMessages, toasts } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { specified } from './specified.ts'

specified('the contact form has the words of the specification', () => {
  expect(contactForm).toMatchObject({
    heading: "You're Almost Done – You May Qualify for SSDI Benefits!",
    lead: 'We think that we can help you apply!',
    submit: 'Yes, Please Call Me!',
    submitting: 'Processing...',
    fields: { phone: { placeholder: '(555) 555-5555' } },
  })
  expect(questionnaire.loading).toBe('Matching you with a qualified disability advocate…')
})

specified('the messages and toasts are those of the specification', () => {
  expect(contactMessages).toMatchObject({
    firstNameRequired: 'First name is required',
    lastNameRequired: 'Last name is required',
    dateOfBirthRequired: 'Date of birth is required',
    ageOutOfBounds: 'You must be at least 18 years old',
    emailRequired: 'Email is required',
    emailInvalid: 'Email is invalid',
    phoneRequired: 'Phone number is required',
    phoneInvalid: 'Please enter a valid 10-digit phone number',
  })
  expect(toasts).toMatchObject({
    incomplete: { title: 'Please complete all fields', text: 'All fields are required to continue.' },
    submissionFailed: {
      title: 'Submission Error',
      text: 'There was a problem submitting your information. Please try again.',
    },
  })
})
