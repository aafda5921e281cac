/** Dates of birth, which someone who called us may not have given. */
const dateFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' })

/** "June 3, 1970 (age 56)" */
export function bornOn(dateOfBirth: string): string {
  if (dateOfBirth === '') return 'Not given'
  const born = Date.parse(`${dateOfBirth}T00:00Z`)
  return Number.isNaN(born) ? dateOfBirth : `${dateFormat.format(born)} (age ${ageOf(dateOfBirth)})`
}

function ageOf(dateOfBirth: string): number {
  const today = new Date().toISOString().slice(0, 10)
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
