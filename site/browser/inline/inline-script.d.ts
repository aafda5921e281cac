/** A TypeScript file as the text of an inline script, made by build/plugins.ts. */
declare module '*.ts?inline-script' {
  const script: string
  export default script
}
