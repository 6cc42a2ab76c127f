import * as z from 'zod';
import { KIB } from '../../api/requests.ts';
import { error, missing, unknownParameter } from '../../api/responses.ts';
import { Router } from '../../api/router.ts';
import { because } from '../../messages/messages.ts';
import { noAccount } from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { requireOperator } from '../access.ts';

/** What operates the service, for the command line and other programs that have the operator's key. */
export const operator = new Router();

operator.use('/v1/operator/*', serves('operator'));

/** What every operation has. */
export const OPERATOR = {
  tags: ['Operator'],
  security: [{ operatorKey: [] }],
  middleware: requireOperator,
};

export const OPERATOR_ERRORS = [
  unknownParameter,
  error(
    'missing_token',
    'there is no `Authorization: Bearer`.',
    'Send the operator’s key as Authorization: Bearer.',
  ),
  error('invalid_token', 'it is not the operator’s key.', 'This is not the operator’s key.'),
  error('too_many_requests', 'too many invalid credentials from this address in this minute.'),
  error('unavailable', 'the database or a setting fails. Repeat the request.', 'Retry later.'),
];

/** Maximum size of a body, in bytes. */
export const MAX_BYTES = 16 * KIB;

export const account = z
  .string()
  .meta({ description: 'The account’s code, in upper or lower case.', example: 'DEMO' });

export const byAccount = z.object({ account });

export const NO_ACCOUNT = missing('account', 'NOBODY', noAccount('NOBODY'));

/** Whether a name can be part of a path: clients of HTTP remove these. */
export function isNoDot(name: string): boolean {
  return !/^\.{1,2}$/.test(name);
}

/** A name that people read: at most this many characters, none of which moves the cursor. */
export function printable(most: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine(
      (name) => name.isWellFormed() && !/\p{Cc}/u.test(name),
      because('has_control_characters'),
    );
}
