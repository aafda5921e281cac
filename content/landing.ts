/** The landing page, section by section, in the order of the page. */
import { figures } from './figures.ts'
import { organization } from './organization.ts'

export const landing = {
  title: `SSDI Benefits of Up to ${figures.maximumBenefit.shown}: See If You Qualify | ${organization.name}`,
  description: `Out of work because of a disability? Answer six yes/no questions to see if you may qualify for SSDI benefits of up to ${figures.maximumBenefit.shown}. Free and confidential, with no fees unless you win.`,

  hero: {
    headline: `You May Qualify for Up to ${figures.maximumBenefit.shown} in SSDI Benefits`,
    lead: 'Out of work because of a disability? Answer six yes/no questions.',
    panelLabel: 'See if you qualify',
    note: `SSDI is Social Security Disability Insurance. “Up to ${figures.maximumBenefit.shown}” is the highest benefit; the average is ${figures.averageBenefit.shown} a month. ${organization.name} is a private organization, not part of the government.`,
    promises: [
      { icon: 'no-fees', text: 'No fees unless your claim is won' },
      { icon: 'confidential', text: '100% confidential' },
      { icon: 'quick', text: `A free ${figures.checkDuration.shown} check` },
    ],
  },

  socialProof: {
    heading: 'People we have helped',
    starsLabel: '5 out of 5 stars',
    sample: '(sample text)',
  },

  whoQualifies: {
    heading: 'Who qualifies for SSDI?',
    lead: 'Social Security Disability Insurance is not charity. You paid for it with every paycheck. You may qualify if all three are true:',
    rules: [
      {
        icon: 'condition',
        title: 'Your condition keeps you from working',
        text: `You have a physical or mental impairment that has lasted or is expected to last at least ${figures.impairmentDuration.shown}, or to result in death.`,
      },
      {
        icon: 'work',
        title: 'You have worked and paid in',
        text: `You have typically worked ${figures.workHistory.shown} in jobs that paid into Social Security.`,
      },
      {
        icon: 'age',
        title: 'You are under full retirement age',
        text: `From full retirement age on, disability benefits become retirement benefits. Some of the rules are more favorable for people aged ${figures.audienceAgeRange.shown}.`,
      },
    ],
  },

  howItWorks: {
    heading: 'How it works',
    steps: [
      {
        title: 'Free Evaluation',
        text: `Answer six yes/no questions here. It takes ${figures.checkTakes.shown}, costs nothing and commits you to nothing.`,
      },
      {
        title: 'Expert Matching',
        text: 'If it looks like you may qualify, a disability advocate who knows cases like yours calls you.',
      },
      {
        title: 'Application Support',
        text: 'Your advocate gathers the records with you, prepares the application and follows it up until there is a decision.',
      },
    ],
    cta: 'Get Started Now',
  },

  painPoints: {
    heading: 'You have enough to carry',
    lead: 'When you cannot work, everything gets heavier at once. You do not have to do this part alone.',
    points: [
      {
        icon: 'bills',
        title: 'Medical bills',
        text: 'Treatment goes on while the paycheck has stopped. A monthly benefit brings back some ground to stand on.',
      },
      {
        icon: 'process',
        title: 'A confusing process',
        text: 'Long forms, strict deadlines and medical evidence that has to be just right. We know what is asked, and when.',
      },
      {
        icon: 'toll',
        title: 'The physical and emotional toll',
        text: 'Pain, worry and waiting wear a person down. Having someone at your side makes it easier to keep going.',
      },
    ],
    cta: 'File My Claim Now',
  },

  urgency: {
    heading: `Only ${figures.spotsRemaining.shown} Spots Remaining This Month`,
    text: 'Your check is free, and you decide what happens after it.',
    cta: 'Secure Your Spot Now',
  },

  faq: {
    heading: 'Questions people ask us',
    items: [
      {
        question: 'Why are so many applications denied?',
        answer: `Nationwide, ${figures.initialDenials.shown} of initial applications are denied. Missing medical evidence is one common reason. A denial is not the end: it can be appealed. It is better still to send a complete application the first time, and that is what we help with.`,
      },
      {
        question: 'What does your help cost?',
        answer: `There are no upfront fees. We work on a contingency basis: only if your claim is won is there a fee, and it is limited to ${figures.feeShare.shown} of your back benefits, up to a maximum of ${figures.feeCap.shown}. If you do not win, there is no fee.`,
      },
      {
        question: 'How long does a decision take?',
        answer: `Initial decisions typically take ${figures.initialDecisionTime.shown}. How long yours takes depends mostly on how quickly your medical records arrive, so we start asking for them early.`,
      },
      {
        question: 'Are you a law firm, or part of the government?',
        answer: `Neither. ${organization.name} is a private organization of disability advocates. We are not a law firm, we do not give legal advice, and we are not part of the Social Security Administration. You can also apply on your own, free of charge, at ssa.gov.`,
      },
      {
        question: 'Is what I tell you kept confidential?',
        answer:
          'Yes. What you tell us is 100% confidential, and your health information is HIPAA-protected. We use it to evaluate your claim, to contact you as you agree on the form, and to help you apply.',
      },
    ],
  },

  disclaimer: {
    heading: 'Please note',
    paragraphs: [
      `${organization.name} is a private, non-government advocacy organization. We are not a law firm and are not affiliated with the Social Security Administration or any government agency.`,
      `“Up to ${figures.maximumBenefit.shown}” is the highest monthly benefit; what you would receive depends on your own work history. The average is ${figures.averageBenefit.shown} a month. Completing the check does not guarantee that you qualify or that a claim will be approved. The Social Security Administration alone decides.`,
    ],
  },
} as const
