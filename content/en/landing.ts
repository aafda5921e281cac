/** The landing page's sections, in order. */

import { officialLinks } from '../links.ts'
import { organization } from '../organization.ts'
import { pictures } from '../pictures.ts'
import type { LandingCopy } from '../types.ts'
import { claims } from './claims.ts'
import { figures } from './figures.ts'
import { questionCount } from './questions.ts'
import { relay } from './shared.ts'

/** The rest of the answer also reads well without these claims. */
function confidentiality(): string {
  const { confidential, hipaaProtected } = claims
  if (confidential && hipaaProtected)
    return `Yes. What you tell us is ${confidential}, and your health information is ${hipaaProtected}. `
  if (confidential) return `Yes. What you tell us is ${confidential}. `
  return hipaaProtected ? `Yes. Your health information is ${hipaaProtected}. ` : ''
}

const faqItems = [
  {
    question: 'Why are so many applications denied?',
    answer: `Nationwide, ${figures.initialDenials} of initial applications are denied. Missing medical evidence is one common reason. A denial doesn't have to be the end: you can appeal. It's better to send a complete application the first time, and that's what we help with.`,
  },
  {
    question: 'What does your help cost?',
    answer: `There are no upfront fees. We work on a contingency basis: there's a fee only if your claim is won, and it's limited to ${figures.feeShare} of your back benefits, up to a maximum of ${figures.feeCap}. If you don't win, there's no fee.`,
  },
  {
    question: 'How long does a decision take?',
    answer: `Initial decisions typically take ${figures.initialDecisionTime}. A lot depends on how quickly your medical records arrive, so it helps to ask for them early.`,
  },
  {
    question: 'Are you a law firm, or part of the government?',
    answer: [
      `Neither. ${organization.name} is a private organization of disability advocates. We're not a law firm, we don't give legal advice, and we're not part of the Social Security Administration. You can also apply on your own, free of charge, at `,
      { text: 'ssa.gov', href: officialLinks.socialSecurityDisability.en },
      '.',
    ],
  },
  {
    question: 'Is what I tell you kept confidential?',
    answer: `${confidentiality()}Your information goes to ${organization.name}, to the advocate who helps you, and to the companies that handle data for us. We use it to see whether we can help, to contact you as you agreed to on the form, and to help you apply.`,
  },
] as const

export const landing = {
  title: `SSDI Benefits of Up to ${figures.maximumBenefit}: See If You Qualify | ${organization.name}`,
  description: `Out of work because of a disability? ${questionCount.first} yes/no questions show if you may qualify for SSDI benefits of up to ${figures.maximumBenefit}. Free, with no fees unless you win.`,

  hero: {
    headline: `You May Qualify for Up to ${figures.maximumBenefit} in SSDI Benefits`,
    lead: 'Out of work because of a disability?',
    picture: { alt: pictures.advocate.alt.en },
    panelTitle: 'See if you qualify',
    note: `SSDI is Social Security Disability Insurance. “Up to ${figures.maximumBenefit}” is the highest benefit; the average is ${figures.averageBenefit} a month. ${organization.name} is a private organization, not part of the government.`,
    promises: [
      { icon: 'no-fees', text: 'No fees unless your claim is won' },
      { icon: 'confidential', text: claims.confidential },
      { icon: 'quick', text: `A free ${figures.checkDuration} eligibility check` },
    ],
  },

  socialProof: {
    heading: "People we've helped",
    /** Shown as the heading and under it if all testimonials are samples. */
    sampleHeading: 'Sample quotes',
    sampleNote: 'They show the layout. They are not from real customers.',
    /** Shown with each sample if some testimonials are real. */
    sampleLabel: 'Sample quote, to show the layout. Not a real customer.',
    starsLabel: claims.fiveStars,
  },

  whoQualifies: {
    heading: 'Who qualifies for SSDI?',
    lead: "Social Security Disability Insurance isn't charity. You've paid for it through the taxes taken out of your paychecks. You may qualify if all three of these are true:",
    picture: { alt: pictures.papers.alt.en },
    rules: [
      {
        icon: 'condition',
        title: 'Your condition keeps you from working',
        text: `You have a physical or mental impairment that has lasted or is expected to last at least ${figures.impairmentDuration}, or to result in death.`,
      },
      {
        icon: 'work',
        title: "You've worked and paid in",
        text: `You've worked in jobs that paid into Social Security, typically ${figures.workHistory}.`,
      },
      {
        icon: 'age',
        title: "You're under full retirement age",
        text: `At full retirement age, now ${figures.fullRetirementAge}, disability benefits become retirement benefits. For people ages ${figures.audienceAgeRange}, some of the rules are easier to meet.`,
      },
    ],
  },

  howItWorks: {
    heading: 'How it works',
    steps: [
      {
        title: 'Free Evaluation',
        text: `Answer ${questionCount.inside} yes/no questions here. It takes ${figures.checkTakes}, costs nothing, and doesn't commit you to anything.`,
      },
      {
        title: 'Expert Matching',
        text: 'If it looks like you may qualify, leave your number. We match you with a disability advocate, who calls you.',
      },
      {
        title: 'Application Support',
        text: "Your advocate helps you gather your records, prepares the application with you, and follows up until there's a decision.",
      },
    ],
    cta: 'Get Started Now',
  },

  painPoints: {
    heading: "You're dealing with enough already",
    lead: "When you can't work, everything gets harder at once. You don't have to do this part alone.",
    picture: { alt: pictures.shoulder.alt.en },
    points: [
      {
        icon: 'bills',
        title: 'Medical bills',
        text: 'The paychecks have stopped, but the bills keep coming. A monthly benefit can put you back on solid ground.',
      },
      {
        icon: 'process',
        title: 'A confusing process',
        text: 'Long forms, strict deadlines, medical evidence that has to be just right. We know what Social Security asks for, and when.',
      },
      {
        icon: 'toll',
        title: 'The physical and emotional toll',
        text: 'Pain, worry, and waiting wear a person down. Having someone by your side makes it easier to keep going.',
      },
    ],
    cta: 'File My Claim Now',
  },

  urgency: {
    heading: `Only ${figures.spotsRemaining} Spots Remaining This Month`,
    lead: "Social Security's own rules set time limits, too:",
    reasons: [
      {
        title: 'Your coverage can run out',
        text: `SSDI insures you only for so long after you stop working. For people who worked steadily, that's ${figures.insuredAfterWork}. A disability that begins after that isn't covered.`,
      },
      {
        title: 'Back pay only goes back so far',
        text: `Social Security can pay you for up to ${figures.retroactiveLimit} before the month you apply. Each month you wait can be a month you're never paid for.`,
      },
    ],
    text: 'Finding out is free, and you decide what comes next.',
    cta: 'Secure Your Spot Now',
  },

  faq: {
    heading: 'Questions people ask us',
    items: faqItems,
    call: {
      heading: 'Would you rather talk to someone?',
      text: 'Call us toll-free. No question is too small.',
      label: `Call ${organization.phone}`,
      relay,
      hours: organization.hours?.en ?? null,
    },
  },

  disclaimer: {
    heading: 'Please note',
    paragraphs: [
      `${organization.name} is a private, non-government advocacy organization. We are not a law firm, and we are not affiliated with the Social Security Administration or any government agency.`,
      `“Up to ${figures.maximumBenefit}” is the highest monthly benefit; what you would get depends on your own work history. The average is ${figures.averageBenefit} a month. Answering the questions does not guarantee that you qualify or that a claim will be approved. Only the Social Security Administration decides.`,
    ],
  },
} as const satisfies LandingCopy
