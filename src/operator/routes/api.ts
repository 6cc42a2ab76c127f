import * as z from 'zod';
import { Api } from '../../api/api.ts';
import { existingOnly } from '../../api/schemas.ts';
import { noAccount } from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { requireOperator } from '../access.ts';

/** What operates the service, for the command line and other programs that have the operator's key. */
export const operator = new Api('Operator');
operator.use('/v1/operator/*', serves('operator'));

/** What every operation has. */
export const OPERATOR = { middleware: requireOperator };

/** Maximum size of a body, in bytes. */
export const MAX_BYTES = 16 * 1024;

export const account = existingOnly(
  'account',
  z.string().meta({ description: 'The account’s code, in upper or lower case.', example: 'DEMO' }),
  'NOBODY',
  noAccount('NOBODY'),
);

export const byAccount = z.object({ account });

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
      'must not have control characters',
    );
}
