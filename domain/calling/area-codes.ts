/**
 * Where a phone number is: each US area code with its state and time zones.
 *
 * Checked on November 17, 2026, against the North American Numbering Plan's lists of codes in service and of planned overlays, and
 * Google's libphonenumber time zone data (Apache-2.0). That data lacks 357, 436, 457, 465, 471, 483, 621, 624, 679, 729, 837, 861,
 * and 924, and puts 689 in Central time. An overlay has the zones of the codes it overlays. 565 and 761 are assigned and open soon.
 */
import { phoneDigits } from '../contact/phone.ts'

/** Every time zone that US area codes are in. Others, such as America/Boise, have had the same clocks for decades. */
export const zones = {
  Eastern: 'America/New_York',
  Central: 'America/Chicago',
  Mountain: 'America/Denver',
  /** No daylight saving time. */
  Arizona: 'America/Phoenix',
  Pacific: 'America/Los_Angeles',
  Alaska: 'America/Anchorage',
  Aleutian: 'America/Adak',
  Hawaii: 'Pacific/Honolulu',
  Atlantic: 'America/Puerto_Rico',
  Samoa: 'Pacific/Pago_Pago',
  Chamorro: 'Pacific/Guam',
} as const
export type Zone = keyof typeof zones

/** Codes by zone. The zone where most people live comes first. Area codes never cross state lines. */
type StateRow = readonly [name: string, codes: Readonly<Partial<Record<Zone | `${Zone} or ${Zone}`, string>>>]

const table = {
  AK: ['Alaska', { 'Alaska or Aleutian': '907' }],
  AL: ['Alabama', { Central: '205 251 256 334 483 659 938' }],
  AR: ['Arkansas', { Central: '327 479 501 870' }],
  AS: ['American Samoa', { Samoa: '684' }],
  // The Navajo Nation, in 928, has daylight saving time.
  AZ: ['Arizona', { Arizona: '480 520 602 623', 'Arizona or Mountain': '928' }],
  CA: [
    'California',
    {
      Pacific: `209 213 279 310 323 341 350 357 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747
        760 805 818 820 831 837 840 858 909 916 925 949 951`,
    },
  ],
  CO: ['Colorado', { Mountain: '303 719 720 748 970 983' }],
  CT: ['Connecticut', { Eastern: '203 475 860 959' }],
  DC: ['Washington, D.C.', { Eastern: '202 771' }],
  DE: ['Delaware', { Eastern: '302' }],
  FL: [
    'Florida',
    {
      Eastern: '239 305 321 324 352 386 407 561 645 656 689 727 728 754 772 786 813 863 904 941 954',
      'Central or Eastern': '448 850',
    },
  ],
  GA: ['Georgia', { Eastern: '229 404 470 478 565 678 706 762 770 912 943' }],
  GU: ['Guam', { Chamorro: '671' }],
  HI: ['Hawaii', { Hawaii: '808' }],
  IA: ['Iowa', { Central: '319 515 563 641 712' }],
  ID: ['Idaho', { 'Mountain or Pacific': '208 986' }],
  IL: ['Illinois', { Central: '217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872' }],
  IN: ['Indiana', { Eastern: '260 317 463 765', 'Eastern or Central': '574 812 930', 'Central or Eastern': '219' }],
  KS: ['Kansas', { Central: '316 913', 'Central or Mountain': '620 785' }],
  KY: ['Kentucky', { Eastern: '502 761 859', 'Eastern or Central': '606', 'Central or Eastern': '270 364' }],
  LA: ['Louisiana', { Central: '225 318 337 457 504 985' }],
  MA: ['Massachusetts', { Eastern: '339 351 413 508 617 774 781 857 978' }],
  MD: ['Maryland', { Eastern: '227 240 301 410 443 667' }],
  ME: ['Maine', { Eastern: '207' }],
  MI: ['Michigan', { Eastern: '231 248 269 313 517 586 616 679 734 810 947 989', 'Eastern or Central': '906' }],
  MN: ['Minnesota', { Central: '218 320 507 612 651 763 924 952' }],
  MO: ['Missouri', { Central: '235 314 417 557 573 636 660 816 975' }],
  MP: ['Northern Mariana Islands', { Chamorro: '670' }],
  MS: ['Mississippi', { Central: '228 471 601 662 769' }],
  MT: ['Montana', { Mountain: '406' }],
  NC: ['North Carolina', { Eastern: '252 336 472 704 743 828 910 919 980 984' }],
  ND: ['North Dakota', { 'Central or Mountain': '701' }],
  NE: ['Nebraska', { Central: '402 531', 'Central or Mountain': '308' }],
  NH: ['New Hampshire', { Eastern: '603' }],
  NJ: ['New Jersey', { Eastern: '201 551 609 640 732 848 856 862 908 973' }],
  NM: ['New Mexico', { Mountain: '505 575' }],
  NV: ['Nevada', { Pacific: '702 725', 'Pacific or Mountain': '775' }],
  NY: [
    'New York',
    { Eastern: '212 315 329 332 347 363 465 516 518 585 607 624 631 646 680 716 718 838 845 914 917 929 934' },
  ],
  OH: ['Ohio', { Eastern: '216 220 234 283 326 330 380 419 436 440 513 567 614 740 937' }],
  OK: ['Oklahoma', { Central: '405 539 572 580 918' }],
  OR: ['Oregon', { Pacific: '503 971', 'Pacific or Mountain': '458 541' }],
  PA: ['Pennsylvania', { Eastern: '215 223 267 272 412 445 484 570 582 610 717 724 814 835 878' }],
  PR: ['Puerto Rico', { Atlantic: '787 939' }],
  RI: ['Rhode Island', { Eastern: '401' }],
  SC: ['South Carolina', { Eastern: '803 821 839 843 854 864' }],
  SD: ['South Dakota', { 'Central or Mountain': '605' }],
  TN: [
    'Tennessee',
    { Eastern: '865', Central: '615 629 731 901', 'Eastern or Central': '423 729', 'Central or Eastern': '931' },
  ],
  TX: [
    'Texas',
    {
      Central: `210 214 254 281 325 346 361 409 430 432 469 512 621 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979`,
      'Mountain or Central': '915',
    },
  ],
  UT: ['Utah', { Mountain: '385 435 801' }],
  VA: ['Virginia', { Eastern: '276 434 540 571 686 703 757 804 826 948' }],
  VI: ['U.S. Virgin Islands', { Atlantic: '340' }],
  VT: ['Vermont', { Eastern: '802' }],
  WA: ['Washington', { Pacific: '206 253 360 425 509 564' }],
  WI: ['Wisconsin', { Central: '262 274 353 414 534 608 715 920' }],
  WV: ['West Virginia', { Eastern: '304 681' }],
  WY: ['Wyoming', { Mountain: '307' }],
} as const satisfies Record<string, StateRow>

export type State = keyof typeof table

/** Where a person is, as far as we know. With two zones, they could be in either. */
export interface Place {
  readonly state: State
  readonly zones: readonly [Zone, ...Zone[]]
  /** The person may also be here: an agent set it at the number they had before. Calls must be allowed in both. */
  readonly also?: Place | undefined
}

const rows = Object.entries(table) as unknown as readonly (readonly [State, StateRow])[]

export const states = Object.fromEntries(rows.map(([state, [name]]) => [state, name])) as Readonly<
  Record<State, string>
>

const zonesIn = (text: string) => text.split(' or ') as [Zone, ...Zone[]]

/** Every US area code. Codes that share zones share a place. Toll-free, Canadian, and Caribbean codes aren't in it. */
export const areaCodes: ReadonlyMap<string, Place> = new Map(
  rows.flatMap(([state, [, codes]]) =>
    Object.entries(codes).flatMap(([names, list]) => {
      const place: Place = { state, zones: zonesIn(names) }
      return list.split(/\s+/).map(code => [code, place] as const)
    }),
  ),
)

/** The places a person can choose from, with the ID to store: `FL Central`. A state in two zones is there twice. */
export const places: ReadonlyMap<string, Place> = new Map(
  rows.flatMap(([state, [, codes]]) => {
    const all = new Set(Object.keys(codes).flatMap(zonesIn))
    return [...all].map(zone => [`${state} ${zone}`, { state, zones: [zone] }] as const)
  }),
)

/** A choosable place with its zone, if the state has several: `Florida (Central)`. */
export function placeLabel(id: string): string {
  const [state = '', zone] = id.split(' ')
  const isOnlyZone = [...places.keys()].filter(other => other.startsWith(`${state} `)).length === 1
  return `${states[state as State]}${isOnlyZone ? '' : ` (${zone})`}`
}

export interface Whereabouts {
  /** Null: not to be called until someone sets the place. */
  readonly place: Place | null
  readonly areaCode: string
  /** Completes "6:51 AM, Hawaii, …". */
  readonly how: string
}

/** Where the person with this number is: the place a colleague chose, or else the area code's. Cell phones move with their owners. */
export function whereabouts(phone: string, chosen: string | null): Whereabouts {
  const areaCode = phoneDigits(phone).slice(0, 3)
  const set = chosen === null ? undefined : places.get(chosen)
  if (set) return { place: set, areaCode, how: 'set by a colleague' }
  const place = areaCodes.get(areaCode) ?? null
  return { place, areaCode, how: place ? `from area code ${areaCode}` : `area code ${areaCode} doesn’t tell us where` }
}

/** How a place is stored with a call: `FL Central or Eastern`. */
export const placeId = ({ state, zones: possible }: Place): string => `${state} ${possible.join(' or ')}`

/** The same for places with the same hours. */
export const placeKey = (place: Place | null): string =>
  place === null ? '' : [place, ...(place.also ? [place.also] : [])].map(placeId).join(' and ')

export function placeOfId(id: string): Place {
  const [state = '', ...rest] = id.split(' ')
  return { state: state as State, zones: zonesIn(rest.join(' ')) }
}
