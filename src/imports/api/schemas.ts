import * as z from 'zod';
import {
  flag,
  integerParameter,
  messageFields,
  named,
  namedObject,
  namedStrictObject,
  shortName,
  shown,
  time,
  url,
} from '../../api/schemas.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { isTimeZone } from '../../lib/time/zones.ts';
import { because, type CodedMessage, inEnglish } from '../../messages/messages.ts';
import { FORMAT_NAMES } from '../formats/formats.ts';
import type { ImportCursor } from '../pipeline/apply.ts';
import type { Import } from '../runs/imports.ts';
import { isTimeOf, SCHEDULED_AT } from '../runs/schedule.ts';
import type { Source } from '../runs/sources.ts';
import { imports, sources } from '../runs/tables.ts';

/** The share of the listed properties (percent) that an import may withdraw without approval, unless stated otherwise. */
export const DEFAULT_MAX_WITHDRAWN = 20;

const every = z.enum(sources.every.enumValues);
const format = z.enum(FORMAT_NAMES).describe('The format; detected unless given.');

export const byId = z.object({
  import_id: z
    .string()
    .refine((text) => /^[1-9]\d{0,14}$/.test(text), because('not_import_id'))
    .transform(Number)
    .meta({
      type: 'string',
      pattern: '^[1-9]\\d{0,14}$',
      description: 'The import’s id.',
      example: '17',
    }),
});

export const importQuery = z.object({
  format: format.optional(),
  replace: flag.describe('Whether listed properties that are not in the file are withdrawn.'),
  max_withdrawn: integerParameter(0, 100, DEFAULT_MAX_WITHDRAWN).describe(
    'The maximum share of the listed properties, in percent, that may be withdrawn. An import ' +
      'of more is held.',
  ),
  strict: flag.describe(
    'Whether a record that is not exactly as specified is rejected, and the file with it.',
  ),
  channel: shortName
    .optional()
    .describe('The channel of the file’s properties, created if necessary.'),
  dry_run: flag.describe('Whether the import only reports what would change.'),
});

export const file = named('ImportFile', z.string().meta({ format: 'binary' }));

export const importRequest = namedStrictObject('ImportRequest', {
  url: url.describe('The https address of the file.'),
});

const counts = z.object({
  read: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  rejected: z.int(),
});

const report = named(
  'ImportReport',
  z
    .looseObject({
      format,
      properties: counts.extend({ written: z.int(), withdrawn: z.int() }),
      developments: counts,
      units: counts,
      withdrawn_properties: z.array(z.string()).describe('The first 1,000.'),
      in_other_sources: z
        .record(z.string(), z.int())
        .describe(
          'How many of its properties other sources have as well, by their names: each import ' +
            'overwrites them.',
        ),
    })
    .describe('The report of `lindero import --json`.'),
);

export const importSummary = namedObject('Import', {
  id: z.int(),
  source: z.string().nullable().describe('The name of the source that it is a run of.'),
  state: z
    .enum(imports.state.enumValues)
    .describe(
      '`held`: it would withdraw more than `max_withdrawn`, or the file of a source no longer ' +
        'has any properties; it waits for `approve` or `cancel`. `unchanged`: the server said ' +
        'that the file is the same as before.',
    ),
  created_at: time,
  ended_at: time.nullable(),
  bytes: z.int().describe('Bytes of the file that have been received.'),
  records: z.int().nullable().describe('Valid records of the file, once all have been read.'),
  done: z
    .int()
    .describe('Records that have been compared with what is stored, and written if they differ.'),
  error: z
    .object({
      code: z.string().describe('What kind of thing is wrong.'),
      reason: messageFields.code.optional(),
      parameters: messageFields.parameters,
      detail: messageFields.detail,
    })
    .nullable()
    .describe('Why it has failed or is held.'),
});

const wouldWithdraw = namedObject('WouldWithdraw', {
  total: z.int(),
  properties: z
    .array(z.object({ id: z.string(), ref: z.string(), town: z.string() }))
    .describe('The first 1,000.'),
});

export const importWithReport = namedObject('ImportWithReport', {
  ...importSummary.shape,
  // Not nullable(): the OpenAPI document would not allow null.
  report: z.union([report, z.null()]),
  would_withdraw: z
    .union([wouldWithdraw, z.null()])
    .describe('The listed properties that are not in the file of an import that is held.'),
});
export const importList = namedObject('Imports', { imports: z.array(importSummary) });

export const sourceSettings = named(
  'SourceSettings',
  z
    .strictObject({
      url: url.describe(
        'The https address of the file. Sent as it was returned, with `***`, it stays the same.',
      ),
      format: format.nullable().default(null),
      every,
      at: z
        .string()
        .optional()
        .meta({
          description:
            '`HH:MM`; if `every` is `week`, a day and `HH:MM`: `mon 03:30`. If it is ' +
            '`hour`, only the minutes count. By default `03:00` or `mon 03:00`.',
          example: '03:30',
          pattern: SCHEDULED_AT.source,
        }),
      time_zone: z.string().default('UTC').meta({
        description: 'In which `at` is meant, by its name in the database of IANA.',
        example: 'Europe/Madrid',
      }),
      max_withdrawn: z.int().min(0).max(100).default(DEFAULT_MAX_WITHDRAWN),
      strict: z.boolean().default(false),
      channel: shortName.nullable().default(null),
      copy_pictures: z
        .boolean()
        .default(false)
        .describe('Whether its pictures are copied after each import, and then served from here.'),
      enabled: z.boolean().default(true),
    })
    .transform(({ at, ...others }) => ({
      ...others,
      at: at ?? (others.every === 'week' ? 'mon 03:00' : '03:00'),
    }))
    .refine(({ every, at }) => isTimeOf(every, at), {
      path: ['at'],
      ...because('not_schedule'),
    })
    .refine((settings) => isTimeZone(settings.time_zone), {
      path: ['time_zone'],
      ...because('not_time_zone'),
    }),
);

export const source = namedObject('Source', {
  name: z.string(),
  url: z.string().describe('With `***` for credentials.'),
  format: format.nullable(),
  every,
  at: z.string(),
  time_zone: z.string(),
  max_withdrawn: z.int(),
  strict: z.boolean(),
  channel: z.string().nullable(),
  copy_pictures: z.boolean(),
  enabled: z.boolean(),
  created_at: time,
  failures: z.int().describe('Runs in a row that have failed.'),
  next_run_at: time.nullable().describe('Now if it is due; `null` if it is disabled.'),
  last_run: z.object({ id: z.int(), state: importSummary.shape.state }).nullable(),
});

/** An import as responses show it. */
export function importView(stored: Import): z.output<typeof importSummary> {
  const { counts } = JSON.parse(stored.progress) as Partial<ImportCursor>;
  const compared = Object.values(counts ?? {}).map(
    ({ created, updated, unchanged }) => created + updated + unchanged,
  );
  const { code, reason, detail, records } = stored;
  const done = compared.reduce((sum, number) => sum + number, 0);
  return shown(importSummary, {
    ...stored,
    // The types and features that a feed's records name are counted too, and are no records of it.
    done: Math.min(done, records ?? done),
    error: code === null ? null : { code, ...statedReason(reason, detail) },
  });
}

/** Why an import ended: of an old one, only the English text is known. */
function statedReason(reason: CodedMessage | null, detail: string | null) {
  if (reason === null) return { detail: detail ?? '' };
  const { code, parameters } = reason;
  return { reason: code, ...(parameters && { parameters }), detail: inEnglish(reason) };
}

/** A source as responses show it. */
export function sourceView(
  { shownUrl, nextRunAt, lastId, lastState, ...stored }: Source,
  now: EpochSeconds,
) {
  return shown(source, {
    ...stored,
    url: shownUrl,
    nextRunAt: stored.enabled ? Math.max(nextRunAt, now) : null,
    lastRun: lastId === null ? null : { id: lastId, state: lastState },
  });
}
