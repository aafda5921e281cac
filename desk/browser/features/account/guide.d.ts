/** A Markdown file that desk/vite.config.ts converts to HTML. */
declare module '*.md' {
  const html: string
  export default html
}
