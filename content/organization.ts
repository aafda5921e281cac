/** Who we are and how to reach us. */
export const organization = {
  name: 'SSDI Advocate',
  description:
    'A private organization that helps people who cannot work because of a disability apply for Social Security Disability Insurance.',
  phone: { shown: '833-243-2965', href: 'tel:+18332432965' },
  callLabel: 'Call Now',
} as const
