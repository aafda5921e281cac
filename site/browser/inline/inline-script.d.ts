/** A TypeScript file that build/plugins.ts compiles to an inline script's text. */
declare module '*.ts?inline-script' {
  const script: string
  export default script
}
