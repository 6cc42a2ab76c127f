/** What the examples of imports and sources have in common. */
export const FEED_URL = 'https://crm.example.com/feed.xml?key=secret';
export const NDJSON = '{"kind":"development","id":"sol-azul","name":"Sol Azul"}\n';

export const AT_17 = { path: { import: '17' } };
export const AT_CRM = { path: { source: 'crm' } };

export const STARTED = {
  id: 17,
  source: null,
  state: 'fetching',
  created_at: '2026-11-24T09:30:00Z',
  ended_at: null,
  bytes: 0,
  records: null,
  done: 0,
  error: null,
};

export const RECEIVED = { ...STARTED, state: 'validating', bytes: NDJSON.length };

export const HELD = {
  ...STARTED,
  state: 'held',
  bytes: 48_200,
  error: {
    code: 'too_many_withdrawn',
    detail: '80 of 100 listed properties are not in the file, more than 20%. Nothing was changed.',
  },
};

export const CRM = {
  name: 'crm',
  url: 'https://crm.example.com/feed.xml?key=***',
  format: 'kyero',
  every: 'day',
  at: '03:30',
  max_withdrawn: 20,
  strict: false,
  channel: null,
  enabled: true,
  created_at: '2026-11-24T09:30:00Z',
  failures: 0,
  next_run_at: '2026-11-24T09:30:00Z',
  last_run: null,
};

/** Of every path that contains the id of an import. */
export const BAD_ID = {
  description: 'the id is not a number.',
  detail: 'import must be the id of an import.',
  request: { path: { import: 'x' } },
};

export const NO_IMPORT = {
  description: 'the account has no such import.',
  detail: 'The account has no import 999999.',
  request: { path: { import: '999999' } },
};

export const NO_SOURCE = {
  description: 'the account has no such source.',
  detail: 'The account has no source "nothing".',
  request: { path: { source: 'nothing' } },
};
