/** A TypeScript file compiled to the text of an inline script by build/plugins.ts. */
declare module '*.ts?inline-script' {
  const script: string
  export default script
}
