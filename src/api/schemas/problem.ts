import { z } from 'zod';
import { PROBLEMS } from '../../problem.ts';
import { named } from './named.ts';

const fieldError = named(
  'FieldError',
  z.object({
    pointer: z.string().meta({ description: 'RFC 6901 JSON Pointer to the invalid field.' }),
    detail: z.string(),
  }),
);

const problemCode = z
  .enum(Object.keys(PROBLEMS) as [keyof typeof PROBLEMS])
  .meta({ description: 'Stable: branch on it.' });

/** The fields of a problem that tell what is wrong. */
export const why = {
  code: problemCode,
  detail: z.string().meta({ description: 'What is wrong with this request, in English. May change.' }),
  errors: z.array(fieldError).optional(),
};

export const problem = named(
  'Problem',
  z
    .object({ type: z.literal('about:blank'), title: z.string(), status: z.int(), ...why })
    .meta({ description: 'A problem document (RFC 9457).' }),
);
