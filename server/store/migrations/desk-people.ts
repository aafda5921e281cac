/** The tables of the desk's people: who may come in, and who is in. */
import type { Migration } from './steps.ts'

export const deskPeople: Migration = {
  sql: `
  CREATE TABLE desk_people (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE, -- the name, however it is capitalised and spaced
    role TEXT NOT NULL,            -- look or act
    handle TEXT NOT NULL,          -- what authenticators call the person by: random
    invited_at BIGINT NOT NULL,
    dismissed_at BIGINT            -- may not come in any more; null for those who may
  );
  CREATE TABLE desk_invitations (
    token_hash TEXT PRIMARY KEY,   -- the token itself is only in the link
    person_id TEXT NOT NULL REFERENCES desk_people (id),
    role TEXT NOT NULL,            -- the person's once it is used
    invited_by TEXT NOT NULL,
    invited_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
  );
  CREATE TABLE desk_passkeys (
    id TEXT PRIMARY KEY,           -- as the authenticator names it
    person_id TEXT NOT NULL,       -- no reference: where a move finds another of that name, this one belongs to nobody
    public_key TEXT NOT NULL,
    counter BIGINT NOT NULL,
    transports TEXT NOT NULL,      -- JSON array
    synced INTEGER NOT NULL,       -- 1: on all devices of an account
    added_at BIGINT NOT NULL,
    last_used_at BIGINT
  );
  CREATE INDEX desk_passkeys_of_a_person ON desk_passkeys (person_id);
  CREATE TABLE desk_challenges (
    id TEXT PRIMARY KEY,
    challenge TEXT NOT NULL,
    purpose TEXT NOT NULL,
    person_id TEXT,                -- whose answer is waited for; null for anybody's
    ends_at BIGINT NOT NULL
  );
  CREATE TABLE desk_sessions (
    token_hash TEXT PRIMARY KEY,   -- the token itself is only in the cookie
    person_id TEXT NOT NULL REFERENCES desk_people (id),
    began_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
  );
  CREATE INDEX desk_sessions_of_a_person ON desk_sessions (person_id);
  `,
}
