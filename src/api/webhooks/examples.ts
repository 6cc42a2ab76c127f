import { EVENTS } from './message.ts';

/** The webhook of the examples. */
export const AT_CRM = { path: { webhook: 'crm' } };
export const URL_OF_CRM = 'https://crm.example.com/lindero';

export const CRM = {
  name: 'crm',
  url: URL_OF_CRM,
  events: [...EVENTS],
  enabled: true,
  disabled_because: null,
  created_at: '2026-11-24T09:30:00Z',
  confirmed_number: 120,
  number: 120,
  failing_since: null,
  next_attempt_at: null,
  old_secret_expires_at: null,
};

export const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

export const PING = {
  attempted_at: '2026-11-24T09:31:00Z',
  message_id: 'msg_ping_0b9f7a52-4d0e-4b52-9d2c-0d7c8b1c5a3e',
  events: 0,
  status: 204,
  error: null,
  milliseconds: 85,
  answer: '',
};

export const NO_WEBHOOK = {
  description: 'the account has no such webhook.',
  detail: 'The account has no webhook "nothing".',
  request: { path: { webhook: 'nothing' } },
};
