/** Page views, the funnel's sums and the triggers that keep them. Goes away with the daily rollup. */
import type { SchemaWords } from '../schema-words.ts'

const counts = ['views', 'bots', 'prefetches', 'declined', 'thanked', 'submitted', 'leads', 'delivered'] as const

export function countTables({ engine, TEXT, BIGINT, STRICT }: SchemaWords): string {
  const columns = counts.map(name => `${name} ${BIGINT} NOT NULL`).join(', ')
  const afterColumns = engine === 'sqlite' ? `${STRICT}, WITHOUT ROWID` : ''
  const identity = engine === 'sqlite' ? 'INTEGER PRIMARY KEY' : 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'
  return `
  CREATE TABLE page_counts (
    day ${TEXT} NOT NULL,            -- in the operator's time zone: 2030-01-31
    page ${TEXT} NOT NULL,
    variant ${TEXT} NOT NULL,
    campaign ${TEXT} NOT NULL,       -- see domain/campaign.ts
    asks ${BIGINT} NOT NULL,         -- 1: the page has the questionnaire
    ${columns},
    PRIMARY KEY (day, page, variant, campaign)
  ) ${afterColumns};
  CREATE TABLE funnel_state (
    id INTEGER PRIMARY KEY,
    time_zone ${TEXT} NOT NULL,      -- in which the days of the counted leads begin
    counted_until ${BIGINT} NOT NULL, -- all leads before this instant are counted
    dealing_secret ${TEXT}           -- by which servers assign variants
  ) ${STRICT};
  INSERT INTO funnel_state VALUES (1, '', 0, NULL);
  CREATE TABLE late_changes (
    received_at ${BIGINT} NOT NULL   -- of the lead
  ) ${STRICT};
  -- All campaigns of a day together.
  CREATE TABLE day_counts (
    day ${TEXT} NOT NULL, page ${TEXT} NOT NULL, variant ${TEXT} NOT NULL, asks ${BIGINT} NOT NULL,
    ${columns},
    PRIMARY KEY (day, page, variant, asks)
  ) ${afterColumns};
  -- All pages with the questionnaire together, and all days of a month: 2030-01.
  CREATE TABLE campaign_counts (
    month ${TEXT} NOT NULL, campaign ${TEXT} NOT NULL,
    ${columns},
    PRIMARY KEY (month, campaign)
  ) ${afterColumns};
  CREATE TABLE view_journal (
    id ${identity},
    counts ${TEXT} NOT NULL          -- JSON array of rows of page_counts
  ) ${STRICT};`
}

const updates = (table: string) => counts.map(name => `${name} = ${table}.${name} + excluded.${name}`).join(', ')

/** Adds rows of page_counts to the sums, or subtracts them. `WHERE true` tells SQLite that the ON is no join's. */
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

const difference = counts.map(name => `${name} = ${name} + NEW.${name} - OLD.${name}`).join(', ')

/** On leads and deliveries: note which leads change after they were counted. */
export function leadTriggers({ engine }: SchemaWords): string {
  return engine === 'sqlite'
    ? `
  CREATE TRIGGER lead_changed_late AFTER UPDATE OF state, campaign ON leads
  WHEN OLD.received_at < (SELECT counted_until FROM funnel_state)
  BEGIN
    INSERT INTO late_changes VALUES (OLD.received_at);
  END;
  CREATE TRIGGER lead_delivered_late AFTER UPDATE OF state ON deliveries
  WHEN (OLD.state = 'delivered') <> (NEW.state = 'delivered')
  BEGIN
    INSERT INTO late_changes SELECT received_at FROM leads
    WHERE id = OLD.lead_id AND received_at < (SELECT counted_until FROM funnel_state);
  END;`
    : `
  CREATE FUNCTION note_late_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO late_changes SELECT received_at FROM leads
    WHERE id = CASE TG_TABLE_NAME WHEN 'leads' THEN to_jsonb(OLD) ->> 'id' ELSE to_jsonb(OLD) ->> 'lead_id' END
      AND received_at < GREATEST((SELECT counted_until FROM funnel_state),
        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - 3600000);
    RETURN NULL;
  END $$;
  CREATE TRIGGER lead_changed_late AFTER UPDATE OF state, campaign ON leads
    FOR EACH ROW EXECUTE FUNCTION note_late_change();
  CREATE TRIGGER lead_delivered_late AFTER UPDATE OF state ON deliveries
    FOR EACH ROW WHEN ((OLD.state = 'delivered') <> (NEW.state = 'delivered')) EXECUTE FUNCTION note_late_change();`
}

export function countTriggers(words: SchemaWords): string {
  const ofPageCounts =
    words.engine === 'sqlite'
      ? `
  CREATE TRIGGER page_counted AFTER INSERT ON page_counts
  BEGIN ${sumUp(rowOf('NEW'), '+')}
  END;
  CREATE TRIGGER page_counted_again AFTER UPDATE ON page_counts WHEN OLD.asks = NEW.asks
  BEGIN
    UPDATE day_counts SET ${difference}
    WHERE day = NEW.day AND page = NEW.page AND variant = NEW.variant AND asks = NEW.asks;
    UPDATE campaign_counts SET ${difference}
    WHERE NEW.asks = 1 AND month = substr(NEW.day, 1, 7) AND campaign = NEW.campaign;
  END;
  CREATE TRIGGER page_asks_otherwise AFTER UPDATE ON page_counts WHEN OLD.asks <> NEW.asks
  BEGIN ${sumUp(rowOf('OLD'), '-')} ${sumUp(rowOf('NEW'), '+')}
  END;`
      : `
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
    FOR EACH STATEMENT EXECUTE FUNCTION sum_page_counts();`
  return `${leadTriggers(words)}\n${ofPageCounts}`
}
