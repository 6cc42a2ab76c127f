import type * as z from 'zod';
import type * as schemas from './schemas.ts';

type ImportState = z.output<typeof schemas.importSummary>;

/** The URL of a file with a credential. */
export const FILE_URL = 'https://crm.example.com/feed.xml?key=secret';

/** A file: an export. */
export const FILE = '{"kind":"development","id":"sol-azul","name":"Sol Azul"}\n';

/** An import whose file the service fetches. */
export const FETCHING: ImportState = {
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

/** An import that waits for a decision. */
export const HELD: ImportState = {
  ...FETCHING,
  state: 'held',
  bytes: 48_200,
  error: {
    code: 'too_many_withdrawn',
    detail: '80 of 100 listed properties are not in the file, more than 20%. Nothing was changed.',
  },
};

/** What it would withdraw. */
export const WOULD_WITHDRAW = {
  total: 80,
  properties: [{ id: 'R4100001', ref: 'CS-1001', town: 'Marbella' }],
};

/** The settings of a source, as they are sent. */
export const SETTINGS = {
  url: FILE_URL,
  format: 'kyero',
  every: 'day',
  at: '03:30',
  time_zone: 'Europe/Madrid',
} as const;

export const SOURCE: z.output<typeof schemas.source> = {
  name: 'crm',
  ...SETTINGS,
  url: 'https://crm.example.com/feed.xml?key=***',
  max_withdrawn: 20,
  strict: false,
  channel: null,
  copy_pictures: false,
  enabled: true,
  created_at: '2026-11-24T09:30:00Z',
  failures: 0,
  next_run_at: '2026-11-24T09:30:00Z',
  last_run: null,
};
