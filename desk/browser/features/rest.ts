/** The views that have a script of their own: see app.tsx. */
export { Account } from './account/account.tsx'
export { Health } from './health/health.tsx'
export { Invitation, SignIn } from './sign-in/sign-in.tsx'
