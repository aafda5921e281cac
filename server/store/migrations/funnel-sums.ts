/** Sums of the page counts, kept by triggers, so that also an older server beside a newer one adds to them. */
import type { Migration } from './steps.ts'

const counts = ['views', 'bots', 'prefetches', 'declined', 'thanked', 'submitted', 'leads', 'delivered'] as const

const columns = (number: 'INTEGER' | 'BIGINT') => counts.map(name => `${name} ${number} NOT NULL`).join(', ')

const tables = (number: 'INTEGER' | 'BIGINT', afterColumns = '') => `
  -- All campaigns of a day together.
  CREATE TABLE day_counts (
    day TEXT NOT NULL, page TEXT NOT NULL, variant TEXT NOT NULL, asks ${number} NOT NULL,
    ${columns(number)},
    PRIMARY KEY (day, page, variant, asks)
  )${afterColumns};
  -- All pages with the questionnaire together, and all days of a month: 2030-01.
  CREATE TABLE campaign_counts (
    month TEXT NOT NULL, campaign TEXT NOT NULL,
    ${columns(number)},
    PRIMARY KEY (month, campaign)
  )${afterColumns};`

const updates = (table: string) => counts.map(name => `${name} = ${table}.${name} + excluded.${name}`).join(', ')

/** Adds rows of page_counts to the sums, or takes them away. `WHERE true` tells SQLite that the ON is no join's. */
const sumUp = (rows: string, sign: '+' | '-') => {
  const sums = counts.map(name => `${sign}SUM(${name})`).join(', ')
  return `
    INSERT INTO day_counts SELECT day, page, variant, asks, ${sums} FROM ${rows} WHERE true
      GROUP BY day, page, variant, asks
      ON CONFLICT (day, page, variant, asks) DO UPDATE SET ${updates('day_counts')};
    INSERT INTO campaign_counts SELECT substr(day, 1, 7), campaign, ${sums} FROM ${rows} WHERE asks = 1
      GROUP BY substr(day, 1, 7), campaign
      ON CONFLICT (month, campaign) DO UPDATE SET ${updates('campaign_counts')};`
}

const rowOf = (row: 'OLD' | 'NEW') => {
  const values = ['day', 'page', 'variant', 'campaign', 'asks', ...counts].map(name => `${row}.${name} AS ${name}`)
  return `(SELECT ${values.join(', ')}) AS counted`
}

export const funnelSums: Migration = {
  sql: `${tables('INTEGER', ' STRICT, WITHOUT ROWID')}
  ${sumUp('page_counts', '+')}
  CREATE TRIGGER page_counted AFTER INSERT ON page_counts
  BEGIN ${sumUp(rowOf('NEW'), '+')}
  END;
  CREATE TRIGGER page_counted_again AFTER UPDATE ON page_counts
  BEGIN ${sumUp(rowOf('OLD'), '-')} ${sumUp(rowOf('NEW'), '+')}
  END;
  `,
  postgres: `${tables('BIGINT')}
  ${sumUp('page_counts', '+')}
  CREATE FUNCTION sum_page_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN ${sumUp('counted_before', '-')}
    END IF;
    ${sumUp('counted', '+')}
    RETURN NULL;
  END $$;
  CREATE TRIGGER page_counted AFTER INSERT ON page_counts
    REFERENCING NEW TABLE AS counted
    FOR EACH STATEMENT EXECUTE FUNCTION sum_page_counts();
  CREATE TRIGGER page_counted_again AFTER UPDATE ON page_counts
    REFERENCING OLD TABLE AS counted_before NEW TABLE AS counted
    FOR EACH STATEMENT EXECUTE FUNCTION sum_page_counts();
  `,
}

const difference = counts.map(name => `${name} = ${name} + NEW.${name} - OLD.${name}`).join(', ')

/**
 * SQLite runs its triggers row by row, every second while a page is looked at: where a row has its sums already, the
 * difference is added to them, at a tenth of the cost. PostgreSQL sums all rows of a statement up at once.
 */
export const funnelSumsByDifference: Migration = {
  sql: `
  DROP TRIGGER page_counted_again;
  CREATE TRIGGER page_counted_again AFTER UPDATE ON page_counts WHEN OLD.asks = NEW.asks
  BEGIN
    UPDATE day_counts SET ${difference}
    WHERE day = NEW.day AND page = NEW.page AND variant = NEW.variant AND asks = NEW.asks;
    UPDATE campaign_counts SET ${difference}
    WHERE NEW.asks = 1 AND month = substr(NEW.day, 1, 7) AND campaign = NEW.campaign;
  END;
  CREATE TRIGGER page_asks_otherwise AFTER UPDATE ON page_counts WHEN OLD.asks <> NEW.asks
  BEGIN ${sumUp(rowOf('OLD'), '-')} ${sumUp(rowOf('NEW'), '+')}
  END;
  `,
  postgres: '',
}
