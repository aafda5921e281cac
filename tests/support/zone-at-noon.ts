/** For tests of days on the machine's clock: they must not pass midnight. */

/** The sign in these zone names is inverted: Etc/GMT+5 is five hours behind UTC. */
export function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours()
  // Etc/GMT+0 isn't a canonical name.
  if (ahead === 0) return 'UTC'
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
