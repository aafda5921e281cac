/** What `campaignKey` in domain/campaign.ts makes of a lead's campaign parameters, as SQL. */
import { clickIds } from '../../../domain/campaign.ts'
import type { SchemaWords } from '../schema-words.ts'

/** What JavaScript's trim() removes; control characters were never stored. */
const SPACES =
  ' \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'

export function campaignKey(engine: SchemaWords['engine']): string {
  const isSqlite = engine === 'sqlite'
  const value = (name: string) => (isSqlite ? `campaign ->> '${name}'` : `campaign::jsonb ->> '${name}'`)
  const part = (name: string) => `substr(trim(COALESCE(${value(name)}, ''), '${SPACES}'), 1, 60)`
  const quoted = (text: string) => (isSqlite ? `json_quote(${text})` : `to_json(${text})::text`)
  const contains = (text: string) => (isSqlite ? `instr(campaign, '${text}') > 0` : `strpos(campaign, '${text}') > 0`)
  const parts = ['utm_source', 'utm_medium', 'utm_campaign'].map(part)
  const isClick = `(${clickIds.map(name => contains(`"${name}":"`)).join(' OR ')})`
  return `CASE WHEN campaign = '{}' OR (${parts.join(' || ')} = '' AND NOT ${isClick}) THEN ''
    ELSE '[' || ${parts.map(quoted).join(` || ',' || `)} || CASE WHEN ${isClick} THEN ',1]' ELSE ']' END END`
}
