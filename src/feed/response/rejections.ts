import { LIMIT_PERIOD_SECONDS, type LimitedVerdict } from '../../rate-limits.ts';
import type { Authorization } from '../access/password.ts';
import { errorDocument } from '../document/error-document.ts';
import type { ParameterError } from '../formats/parameters.ts';

/** The outcomes of checking credentials that are not valid. */
export type Rejected = LimitedVerdict | Exclude<Authorization, { kind: 'authorized' }>;

/** The error document for invalid credentials. */
export function rejection(kind: Rejected['kind']): Response {
  switch (kind) {
    case 'denied':
      return unauthorized('The account or the password is wrong.');
    case 'too many attempts':
      return errorDocument('too_many_attempts', 'Too many password attempts. Retry in a minute.', {
        'Retry-After': String(LIMIT_PERIOD_SECONDS),
      });
    case 'unverifiable':
      return unavailable();
  }
}

/** A 401, which offers HTTP Basic. */
export function unauthorized(message: string): Response {
  return errorDocument('bad_credentials', message, { 'WWW-Authenticate': 'Basic realm="feed", charset="UTF-8"' });
}

/** The error document that names every invalid parameter. */
export function badParameters(errors: readonly ParameterError[]): Response {
  const message = errors.map(({ parameter, reason }) => `${parameter} ${reason}.`).join(' ');
  return errors.every(({ unsupported }) => unsupported)
    ? unsupportedParameter(message)
    : errorDocument('bad_parameter', message);
}

/** The error document for a parameter that this feed does not have. */
export function unsupportedParameter(message: string): Response {
  return errorDocument('unsupported_parameter', message);
}

/** The error document for a reader that takes only a feed of fewer records. */
export function tooManyRecords(limit: number, records: number): Response {
  return unsupportedParameter(
    `The feed has ${records} ${records === 1 ? 'record' : 'records'}, and N is ${limit}. A feed is always complete: omit N or set it above ${records}.`,
  );
}

/** The error document while the database cannot be read. */
export function unavailable(): Response {
  return errorDocument('unavailable', 'The feed is temporarily unavailable. Retry later.', { 'Retry-After': '30' });
}

/** The error document for an unexpected error, which the log describes under this id. */
export function internalError(requestId: string): Response {
  return errorDocument('internal', `Please quote request ${requestId}.`, { 'X-Request-Id': requestId });
}
