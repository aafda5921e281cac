/**
 * Every legal rule that the site, its docs, or the call list states or follows, with its source and the last day to review it by. The
 * launch check names the ones that are overdue. After a review, record it in reviews.toml; if a rule has changed, also change what
 * `where` lists. Not legal advice.
 */
export interface LegalRule {
  readonly rule: string
  /** Null: only found in published charts. */
  readonly source: string | null
  readonly where: string
  readonly reviewBy: string
  /** After a review, recorded in reviews.toml, the rule is due again in so many days. */
  readonly everyDays: number
}

const federal = (rule: string, source: string, where: string, reviewBy = '2027-11-18'): LegalRule => ({
  rule,
  source,
  where,
  reviewBy,
  everyDays: 365,
})

/** Narrower than the federal hours. States change these often, so twice a year. */
const state = (rule: string, source: string | null): LegalRule => ({
  rule,
  source,
  where: 'domain/calling/, docs/compliance.md',
  reviewBy: '2027-05-18',
  everyDays: 182,
})

const [COMPLIANCE, LAUNCH] = ['docs/compliance.md', 'the launch check']

export const legalRules: Readonly<Record<string, LegalRule>> = {
  callingHours: federal(
    'Calls only from 8 a.m. to 9 p.m. where the person is.',
    '47 CFR 64.1200(c)(1)',
    'domain/calling/',
  ),
  callClaims: federal('Up to $500 a call, $1,500 if willful.', '47 USC 227(c)(5)', LAUNCH),
  federalHolidays: federal('The days on which the call list is closed.', '5 U.S.C. 6103', 'domain/calling/holidays.ts'),
  stopRequests: federal(
    'Stop within ten business days, for do-not-call requests and for revoked consent.',
    '47 CFR 64.1200(d)(3), (a)(10); 89 FR 15756',
    COMPLIANCE,
    '2027-05-18',
  ),
  revokeAll: federal(
    'From January 31, 2027, one stop ends all robocalls and texts that need consent, unless the FCC changes that again.',
    '47 CFR 64.1200(a)(10)',
    COMPLIANCE,
    '2027-01-15',
  ),
  doNotCallLists: federal(
    'Caller ID, the national do-not-call registry, and your own list.',
    '47 CFR 64.1200(c), (d); 16 CFR 310.4',
    COMPLIANCE,
  ),
  callerIdentity: federal(
    'A call, or a voicemail, says who calls and for whom. Ours leaves the organization out; a lawyer decides.',
    '47 CFR 64.1200(d)(4)',
    `calls in en.toml, ${COMPLIANCE}`,
    '2027-05-18',
  ),
  inquiries: federal(
    'An inquiry allows calls to a number on the national registry for three months; otherwise, it takes a signed permission.',
    '47 CFR 64.1200(c)(2)(ii), (f)(5)',
    `domain/calling/may-we-call.ts, ${COMPLIANCE}`,
    '2027-05-18',
  ),
  writtenConsent: federal(
    'Automated calls and artificial voices, AI included, need written consent that names the seller and isn’t required to buy anything.',
    '47 CFR 64.1200(a)(2), (f)(9), (f)(9)(i)(B); 16 CFR 310.4(b)(1)(v)(A); FCC 24-17',
    `the consent, ${LAUNCH}`,
  ),
  callRecords: federal('Keep records of calls and consent for five years.', '16 CFR 310.5', COMPLIANCE),
  lawsuits: federal('People can sue up to four years after a call.', '28 USC 1658(a)', COMPLIANCE),
  disclosureLanguage: federal('Disclosures are in the language of the page.', '16 CFR 14.9(a)', LAUNCH),
  testimonials: federal('Testimonials are real.', '16 CFR 465, 465.2; 16 CFR 255', LAUNCH),
  deception: federal('Claims are true and have evidence; ads look like ads.', '15 USC 45; 81 FR 22596', LAUNCH),
  governmentNames: federal(
    'Names, domains, and pages don’t suggest Social Security or Medicare; a disclaimer doesn’t help.',
    '42 USC 1320b-10',
    LAUNCH,
  ),
  impersonation: federal('Nobody poses as a government or its officer.', '16 CFR 461', COMPLIANCE),
  healthData: federal('Health answers don’t go to ad platforms.', '16 CFR 318', COMPLIANCE),
  washingtonHealthData: federal(
    'Washington: a health-data policy, linked from the home page.',
    'RCW 19.373',
    COMPLIANCE,
    '2027-05-18',
  ),
  marketingMail: federal('Marketing mail has a postal address and a way to stop it.', '15 USC 7704', 'docs/decide.md'),
  hipaa: federal('Who is a covered entity, and what its notice says.', '45 CFR 160.103, 164.520', 'the HIPAA notice'),
  representativeFees: federal('SSA approves and limits fees.', '42 USC 406; 20 CFR 404.1720', COMPLIANCE),
  definitionOfDisability: federal(
    'A condition that has lasted or can be expected to last a year, or to result in death.',
    '20 CFR 404.1505(a)',
    'the decline page',
  ),
  insuredStatus: federal(
    'People whose disability began before 31 need less work.',
    '20 CFR 404.130(c)',
    'the decline page',
  ),
  benefitsOnOthersRecords: federal(
    'Benefits on the record of a parent or a late husband or wife.',
    '20 CFR 404.335, 404.350',
    'the decline page',
  ),
  changeOfRepresentative: federal(
    'People can change their representative; the first one can still ask for a fee.',
    '20 CFR 404.1705, 404.1725',
    'the decline page',
  ),
  continuedBenefits: federal(
    'Benefits that stop for medical reasons go on during an appeal if that’s asked for within ten days.',
    '20 CFR 404.1597a(f)(1)',
    'the decline page',
  ),
  ssiResidence: federal('SSI isn’t paid in Puerto Rico.', '20 CFR 416.202(b), 416.215', 'the decline page'),
  californiaRequests: federal('45 days to answer a request.', 'Cal. Civ. Code 1798.130(a)(2)', COMPLIANCE),
  californiaPrivacyPolicy: federal('A privacy policy.', 'Cal. Bus. & Prof. Code 22575', COMPLIANCE),
  texasTexts: state('Texts count as telephone solicitation, with registration and a bond.', 'SB 140 (2025)'),
  virginiaTexts: state('A STOP or UNSUBSCRIBE by text holds for ten years.', 'SB 1339 (2025), Va. Code 59.1-514'),
  nevadaHealthData: state('A health-data policy, as in Washington.', 'SB 370 (2023)'),
  alabama: state('8–8, no Sundays or holidays.', 'Admin. Code 770-X-5-.17'),
  connecticut: state('9–8.', 'CGS 42-288a'),
  florida: state('8–8, three calls in 24 hours.', 'Fla. Stat. 501.616(6)'),
  kentucky: state('10–9.', 'KRS 367.46955'),
  louisiana: state('8–8, no Sundays or holidays.', 'LPSC R-29617'),
  maryland: state('8–8, three calls in 24 hours.', 'Com. Law 14-4502'),
  massachusetts: state('8–8.', '201 CMR 12.02'),
  mississippi: state('8–8, no Sundays.', 'Miss. Code 77-3-723'),
  oklahoma: state('8–8, three calls in 24 hours.', '15 O.S. 775C.4'),
  oregon: state('8–8, three calls or texts in 24 hours.', 'HB 3865 (2025)'),
  pennsylvania: state('8–9, no holidays.', '73 P.S. 2245(a)(10)'),
  rhodeIsland: state('Monday to Friday 9–6, Saturday 10–5, no Sundays or holidays.', 'R.I. Gen. Laws 5-61-3.6'),
  southDakota: state('9–9, no Sundays. Only found in charts.', 'SDCL 37-30-28'),
  texas: state('Monday to Saturday 9–9, Sunday 12–9.', 'Bus. & Com. Code 301.051'),
  utah: state('8–9, no Sundays or holidays.', 'Utah Code 13-25a-103'),
  washington: state('8–8.', 'RCW 80.36.390'),
  otherStates: state('Indiana, Nevada, Wyoming: 9–8, 9–8, 8–8. Michigan, Minnesota, New Mexico: 9–9.', null),
}
