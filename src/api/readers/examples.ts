const CREATED_AT = '2026-11-22T09:30:00Z';
export const KEY = 'lindero_0123456789abcdefghijklmnopqrstuv';

/** The reader of the examples, as lists show it. */
export const SUMMARY = {
  name: 'idealista',
  preset: 'FV=3&T=SALE',
  fixed: true,
  channel: null,
  withhold: ['price_minimum', 'commission', 'email'],
  place: 'exact' as const,
  kind: null,
  disabled: false,
  created_at: CREATED_AT,
  keys: 1,
  old_keys_expire_at: null,
  last_visit_at: null,
  last_delivery_at: null,
  usual_interval: null,
  late: false,
};

export const IDEALISTA = { ...SUMMARY, feeds: [] };

export const AT_READER = { path: { reader: 'idealista' } };

export const NO_READER = {
  description: 'the account has no such reader.',
  detail: 'The account has no reader "nobody".',
  request: { path: { reader: 'nobody' }, body: {} },
};

export const AT_CHANNEL = { path: { channel: 'coast' } };

export const NO_CHANNEL = {
  description: 'the account has no such channel.',
  detail: 'The account has no channel "nowhere".',
  request: { path: { channel: 'nowhere' }, body: { properties: ['R4100001'] } },
};
