/**
 * The pictures, by subject. The files are in content/pictures/ and can be SVG, PNG, JPEG, AVIF, or WebP. The build creates
 * the sizes that phones and desktops need. Screen readers read `alt` aloud.
 */
import type { InEachLanguage } from './languages.ts'

export interface Picture {
  readonly file: string
  readonly alt: InEachLanguage
}

export const pictures = {
  /** On the first screen. */
  advocate: {
    file: 'advocate.svg',
    alt: {
      en: 'A disability advocate with a headset, smiling',
      es: 'Una representante sonriente que habla por teléfono con auriculares',
    },
  },
  /** On the thank-you page: the phone call to expect. */
  call: {
    file: 'call.svg',
    alt: {
      en: 'A phone ringing on a table, beside a plant and a cup of coffee',
      es: 'Un teléfono que suena sobre una mesa, junto a una planta y una taza de café',
    },
  },
  /** In “Who qualifies.” */
  papers: {
    file: 'papers.svg',
    alt: {
      en: 'Two people’s hands sorting papers on a table, beside a checklist',
      es: 'Las manos de dos personas ordenando papeles en una mesa, junto a una lista',
    },
  },
  /** On the decline page: there are other ways. */
  paths: {
    file: 'paths.svg',
    alt: {
      en: 'A path through green hills, with a bench and a signpost pointing three ways',
      es: 'Un camino entre colinas verdes, con una banca y un letrero que señala tres direcciones',
    },
  },
  /** In the advertorial and as the preview image for shared links. Best at 1200 × 630. */
  seniors: {
    file: 'seniors.svg',
    alt: {
      en: 'Two older people relaxing at a table with papers and a cup of coffee',
      es: 'Dos personas mayores sentadas a la mesa, tranquilas, con papeles y una taza de café',
    },
  },
  /** In “You're dealing with enough already.” */
  shoulder: {
    file: 'shoulder.svg',
    alt: {
      en: "A woman resting her hand on an older man's shoulder",
      es: 'Una mujer con la mano sobre el hombro de un hombre mayor',
    },
  },
} as const satisfies Record<string, Picture>

/** The logo in the header, also used for the favicon and home-screen icon: a square SVG. */
export const mark = 'icon.svg'
