import type { Context } from 'hono';
import * as z from 'zod';
import { readSetting, writeFormatSettings } from '../../accounts/accounts.ts';
import { NOT_CACHED, REVALIDATED } from '../../api/headers.ts';
import { json, KIB, limitChanges } from '../../api/requests.ts';
import { body, clientChanges, clientReads, errors, missing, ok } from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { named, namedObject } from '../../api/schemas.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { parsePreset } from '../../feed/request/preset.ts';
import { type CallerEnv, withScope } from '../../oauth/bearer.ts';
import { fieldError, invalidFields, ProblemError } from '../../problem.ts';
import { serves } from '../../request-log.ts';

/** The formats that accounts can set parameters for. */
const CONFIGURABLE = FORMATS.filter(({ accountParameters }) => accountParameters !== undefined).map(
  ({ name }) => name,
);

const READ = { tags: ['Readers'], ...withScope('readers:read') };
const WRITE = { tags: ['Readers'], ...withScope('readers:write') };
const FORMAT = '/v1/formats/{format}';

/** Maximum size of a body, in bytes. */
const MAX_BYTES = 16 * KIB;

const byFormat = z.object({
  format: z
    .string()
    .meta({ description: 'The name of a format that has settings.', example: 'idealista' }),
});

/** The problem of a format that has no settings. */
const NO_SETTINGS = {
  code: 'format_not_found',
  detail: `The formats with settings are: ${CONFIGURABLE.join(', ')}.`,
} as const;
const NO_FORMAT = missing('format', 'kyero', NO_SETTINGS);

const settings = z.record(z.string(), z.string()).describe('Feed parameters by their names.');

const state = namedObject('FormatSettings', { format: z.string(), settings });

/**
 * What an account states once for all readers of a format, such as the code that Idealista has given
 * it.
 */
export const formats = new Router();

formats.use('/v1/formats/*', serves('readers'));

const getFormatSettings = createRoute({
  method: 'get',
  path: FORMAT,
  operationId: 'getFormatSettings',
  summary: 'The settings of a format',
  ...READ,
  request: { params: byFormat },
  responses: {
    200: ok(state, 'The parameters that are set for all readers of the format.'),
    ...errors(clientReads('readers:read'), NO_FORMAT),
  },
});

formats.openapi(getFormatSettings, async (c) => {
  const format = configurable(c.req.valid('param').format);
  return c.json(await stateOf(c, format), 200, REVALIDATED);
});

const putFormatSettings = createRoute({
  method: 'put',
  path: FORMAT,
  operationId: 'putFormatSettings',
  summary: 'Set parameters for all readers of a format',
  description:
    'They apply unless the preset of a reader says otherwise, and replace those that were set.',
  ...WRITE,
  request: {
    params: byFormat,
    body: json(named('NewFormatSettings', settings), MAX_BYTES, {
      set: { CustomerCountry: 'Spain' },
    }),
  },
  responses: {
    200: ok(state, 'The settings as they are now.'),
    ...errors(clientChanges('readers:write'), NO_FORMAT, body(MAX_BYTES)),
  },
});

formats.openapi(putFormatSettings, async (c) => {
  const given = c.req.valid('json');
  await limitChanges(c);
  const format = configurable(c.req.valid('param').format);
  const parsed = parsePreset(new URLSearchParams(given).toString());
  if ('errors' in parsed) {
    const errors = parsed.errors.map(({ parameter, problem }) =>
      fieldError(`/${parameter}`, problem),
    );
    throw new ProblemError(invalidFields(errors));
  }
  await writeFormatSettings(c.env.DB, c.var.caller.accountId, format, parsed.preset);
  return c.json(await stateOf(c, format), 200, NOT_CACHED);
});

/** @throws ProblemError if the format has no settings */
function configurable(format: string): string {
  if (CONFIGURABLE.includes(format)) return format;
  throw new ProblemError(NO_SETTINGS);
}

async function stateOf(c: Context<CallerEnv>, format: string) {
  const all = await readSetting(c.env.DB, c.var.caller.accountId, 'formatSettings');
  return { format, settings: Object.fromEntries(new URLSearchParams(all[format] ?? '')) };
}
