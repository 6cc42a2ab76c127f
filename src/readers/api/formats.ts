import * as z from 'zod';
import { readSetting, writeFormatSettings } from '../../accounts/accounts.ts';
import { Api } from '../../api/api.ts';
import { json, ok } from '../../api/operation.ts';
import type { Caller } from '../../api/resource.ts';
import { existingOnly, named, namedObject } from '../../api/schemas.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { parsePreset } from '../../feed/request/preset.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { invalidFields, ProblemError } from '../../problem.ts';

/** The formats that accounts can set parameters for. */
const CONFIGURABLE = FORMATS.filter(({ accountParameters }) => accountParameters !== undefined).map(
  ({ name }) => name,
);

const PATH = '/v1/formats/{format}';

const byFormat = z.object({
  format: existingOnly(
    'format',
    z
      .string()
      .meta({ description: 'The name of a format that has settings.', example: 'idealista' }),
    'kyero',
    {
      code: 'format_not_found',
      detail: `The formats with settings are: ${CONFIGURABLE.join(', ')}.`,
    },
  ),
});

const settings = z.record(z.string(), z.string()).describe('Feed parameters by their names.');

const state = namedObject('FormatSettings', { format: z.string(), settings });

/** What an account states once for all readers of a format, such as the code that Idealista has given it. */
export const formats = new Api('Readers');

formats.read({
  path: PATH,
  operationId: 'getFormatSettings',
  summary: 'The settings of a format',
  middleware: requireScope('readers:read'),
  request: { params: byFormat },
  responses: { 200: ok(state, 'The parameters that are set for all readers of the format.') },
  examples: { settings: {} },
  handle: async (c, { params }) => ({ body: await stateOf(c, configurable(params.format)) }),
});

formats.write({
  method: 'put',
  path: PATH,
  operationId: 'putFormatSettings',
  summary: 'Set parameters for all readers of a format',
  description:
    'They apply unless the preset of a reader says otherwise, and replace those that were set.',
  middleware: requireScope('readers:write'),
  limited: true,
  request: { params: byFormat, body: json(named('NewFormatSettings', settings), 16 * 1024) },
  responses: { 200: ok(state, 'The settings as they are now.') },
  examples: { set: { request: { body: { CustomerCountry: 'Spain' } } } },
  handle: async (c, { params, body }) => {
    const format = configurable(params.format);
    const parsed = parsePreset(new URLSearchParams(body).toString());
    if ('errors' in parsed) {
      const errors = parsed.errors.map(({ parameter, reason }) => ({
        pointer: `/${parameter}`,
        detail: reason,
      }));
      throw new ProblemError(invalidFields(errors));
    }
    await writeFormatSettings(c.env.DB, c.var.caller.accountId, format, parsed.preset);
    return { body: await stateOf(c, format) };
  },
});

/** @throws ProblemError if the format has no settings */
function configurable(format: string): string {
  if (CONFIGURABLE.includes(format)) return format;
  const detail = `The formats with settings are: ${CONFIGURABLE.join(', ')}.`;
  throw new ProblemError({ code: 'format_not_found', detail });
}

async function stateOf(c: Caller, format: string) {
  const all = await readSetting(c.env.DB, c.var.caller.accountId, 'formatSettings');
  return { format, settings: Object.fromEntries(new URLSearchParams(all[format] ?? '')) };
}
