/** The tables of the funnel, and the triggers that note which leads change after they were counted. */
import type { Migration } from './steps.ts'

/** The two engines differ in the type of a 64-bit number and in what follows the columns. */
const tables = (number: 'INTEGER' | 'BIGINT', afterColumns = '') => `
  ALTER TABLE leads ADD COLUMN variant TEXT NOT NULL DEFAULT '';
  CREATE TABLE page_counts (
    day TEXT NOT NULL,             -- in the operator's time zone: 2030-01-31
    page TEXT NOT NULL,
    variant TEXT NOT NULL,
    campaign TEXT NOT NULL,        -- see domain/campaign.ts
    asks ${number} NOT NULL,       -- 1: the page has the questionnaire
    views ${number} NOT NULL,
    bots ${number} NOT NULL,
    prefetches ${number} NOT NULL,
    declined ${number} NOT NULL,   -- went on to /decline
    thanked ${number} NOT NULL,    -- went on to /thank-you
    submitted ${number} NOT NULL,  -- these three are counted from the leads
    leads ${number} NOT NULL,
    delivered ${number} NOT NULL,
    PRIMARY KEY (day, page, variant, campaign)
  )${afterColumns};
  CREATE TABLE funnel_state (
    id INTEGER PRIMARY KEY,
    time_zone TEXT NOT NULL,       -- in which the days of the counted leads begin
    counted_until ${number} NOT NULL, -- all leads before this instant are counted
    dealing_secret TEXT            -- by which servers deal out variants
  );
  INSERT INTO funnel_state VALUES (1, '', 0, NULL);
  CREATE TABLE late_changes (
    received_at ${number} NOT NULL -- of the lead
  );`

export const pageCounts: Migration = {
  sql: `${tables('INTEGER', ' STRICT, WITHOUT ROWID')}
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
  END;
  `,
  // While a lead is counted, another server may be changing it, and neither sees the other: so every change of a lead
  // that might be counted by now is noted. Leads are counted after two hours, and no change takes one.
  postgres: `${tables('BIGINT')}
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
    FOR EACH ROW WHEN ((OLD.state = 'delivered') <> (NEW.state = 'delivered')) EXECUTE FUNCTION note_late_change();
  `,
}

/** What servers counted in the last seconds: one row each second, whatever was seen in it. Posted to page_counts now and then. */
export const viewJournal: Migration = {
  sql: `
  CREATE TABLE view_journal (
    id INTEGER PRIMARY KEY,
    counts TEXT NOT NULL           -- JSON array of rows of page_counts
  );
  `,
  postgres: `
  CREATE TABLE view_journal (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    counts TEXT NOT NULL           -- JSON array of rows of page_counts
  );
  `,
}
