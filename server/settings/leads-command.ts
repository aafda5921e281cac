/** How to run `leads` on this machine, for hints: with sudo where deploy/setup.sh installed it, otherwise through npm. */
export const LEADS = import.meta.dirname.startsWith('/srv/ssdi-advocate/') ? 'sudo leads' : 'npm run leads --'

/** The same, to redirect or pipe the output: without -s, npm adds two lines. */
export const LEADS_PIPED = LEADS.replace('npm run', 'npm run -s')
