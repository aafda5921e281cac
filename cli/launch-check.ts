/** `npm run launch-check`: says what must be settled before the site goes public, and exits 1 while anything is open. */
import { claims } from '../content/claims.ts'
import { figures } from '../content/figures.ts'
import { advertorialFooterLinks, footerLinks } from '../content/links.ts'
import { advertorialQuote, testimonials } from '../content/testimonials.ts'
import { type LaunchProblem, launchProblems } from '../domain/launch.ts'

const content = {
  figures,
  claims,
  testimonials: [...testimonials, advertorialQuote],
  links: [...footerLinks, ...advertorialFooterLinks],
}
const problems = launchProblems(content, new Date().toISOString().slice(0, 10))
if (problems.length === 0) {
  console.log('Nothing in the content keeps the site from going public.')
} else {
  console.log(`Not ready for the public. ${problems.length} things to settle in content/:`)
  for (const problem of problems) console.log(`  - ${sentence(problem)}`)
  process.exitCode = 1
}

function sentence(problem: LaunchProblem): string {
  const { subject } = problem
  switch (problem.code) {
    case 'figureWithoutSource':
      return `Figure ${subject} has no source. ${problem.note}`.trim()
    case 'figureExpired':
      return `Figure ${subject} held only until ${problem.until}. ${problem.note}`.trim()
    case 'unsupportedClaim':
      return `The claim ${subject} has nothing that supports it in content/claims.ts.`
    case 'sampleTestimonial':
      return `The testimonial of ${subject} is a sample. Publishing invented testimonials is unlawful (16 CFR 465).`
    case 'linkWithoutDestination':
      return `The footer link ${subject} has no destination.`
  }
}
