/** Page views by themselves, and leads in a daily rollup: no more triggers, sums, journal, and marks. */
import { analyticsTables } from '../schema.ts'
import type { SchemaWords } from '../schema-words.ts'

const key = ['day', 'page', 'variant', 'campaign']
const counts = ['views', 'bots', 'prefetches', 'declined', 'thanked']

export function dailyRollup(words: SchemaWords): string {
  const isSqlite = words.engine === 'sqlite'
  const sums = counts.map(name => `SUM(${name})`).join(', ')
  const updates = counts.map(name => `${name} = page_counts.${name} + excluded.${name}`).join(', ')
  return `
  ${isSqlite ? '' : dropFunctions}
  ${isSqlite ? dropTriggers : ''}
  INSERT INTO page_counts (${key.join(', ')}, asks, ${counts.join(', ')}, submitted, leads, delivered)
  SELECT ${key.join(', ')}, MAX(asks), ${sums}, 0, 0, 0 FROM ${isSqlite ? sqliteJournal : postgresJournal} AS journal
  WHERE true GROUP BY ${key.join(', ')}
  ON CONFLICT (${key.join(', ')}) DO UPDATE SET asks = excluded.asks, ${updates};
  DELETE FROM page_counts WHERE ${counts.join(' + ')} = 0;
  ALTER TABLE page_counts DROP COLUMN submitted;
  ALTER TABLE page_counts DROP COLUMN leads;
  ALTER TABLE page_counts DROP COLUMN delivered;
  ${analyticsTables(words)}
  INSERT INTO variant_secret SELECT 1, dealing_secret FROM funnel_state WHERE dealing_secret IS NOT NULL;
  DROP TABLE view_journal;
  DROP TABLE late_changes;
  DROP TABLE day_counts;
  DROP TABLE campaign_counts;
  DROP TABLE funnel_state;`
}

const sqliteJournal = `(SELECT ${[...key, 'asks', ...counts].map(name => `value ->> '${name}' AS ${name}`).join(', ')}
    FROM view_journal, json_each(view_journal.counts))`

const postgresJournal = `(SELECT ${key.join(', ')}, asks::integer AS asks, ${counts.join(', ')} FROM view_journal,
    json_to_recordset(view_journal.counts::json) AS noted (${key.map(name => `${name} text`).join(', ')}, asks boolean,
      ${counts.map(name => `${name} bigint`).join(', ')}))`

/** Those on leads went with the table. */
const dropTriggers = `
  DROP TRIGGER page_counted;
  DROP TRIGGER page_counted_again;
  DROP TRIGGER page_asks_otherwise;`

const dropFunctions = `
  DROP FUNCTION note_late_change CASCADE;
  DROP FUNCTION sum_page_counts CASCADE;`
