/** The part of subset-font that we use; the package has no types. */
declare module 'subset-font' {
  interface Options {
    targetFormat?: 'woff2' | 'truetype'
    variationAxes?: Record<string, number | { min: number; max: number }>
    /** The only layout features to keep. */
    keepFeatures?: string[]
    noHinting?: boolean
  }
  export default function subsetFont(font: Buffer, text: string, options?: Options): Promise<Buffer>
}
