/** Anchors from headings. Accents are dropped, so “Qué ofrece” becomes `que-ofrece`. */
export const slugOf = (heading: string) =>
  heading
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
