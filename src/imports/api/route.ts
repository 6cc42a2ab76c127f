import type * as z from 'zod';
import { clientWriter } from '../../accounts/actor.ts';
import { NOT_CACHED, REVALIDATED } from '../../api/headers.ts';
import { limitChanges, namedValues, pageOf, pageQuery, typesOf } from '../../api/requests.ts';
import { body, error, errors, fields, missing, ok, page } from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { checkUrl } from '../../http/outbound.ts';
import { mediaType } from '../../lib/http/media-type.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { message } from '../../messages/messages.ts';
import { ProblemError } from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { ImportError } from '../pipeline/error.ts';
import { FileTooLarge, MAX_FILE_BYTES } from '../runs/files.ts';
import { type ImportOptions, MAX_WAITING } from '../runs/imports.ts';
import { approve, cancel, importFile, importUrl, readReport } from '../runs/manage.ts';
import { receivedChunks } from '../runs/pace.ts';
import {
  ACCEPTED,
  acceptedAt,
  CHANGE_ERRORS,
  foundImport,
  IMPORTS,
  listedImports,
  MAX_BYTES,
  READ,
  READ_ERRORS,
  WRITE,
} from './api.ts';
import * as examples from './examples.ts';
import * as schemas from './schemas.ts';

const IMPORT = `${IMPORTS}/{import_id}` as const;

const TOO_MANY_IMPORTS = `At most ${MAX_WAITING} imports can be waiting.`;

const BAD_ID = error(
  'bad_parameter',
  'the id is not a number.',
  'import_id must be the id of an import.',
);

/** Imports files into the account that the token belongs to. */
export const imports = new Router();

imports.use(`${IMPORTS}/*`, serves('imports'));

const A_FILE = { schema: schemas.file, examples: {} };

/** `{"url": …}`, or a file, which the handler reads. */
const IMPORT_BODY = {
  required: true,
  'x-max-bytes': MAX_BYTES,
  content: {
    'application/json': {
      schema: schemas.importRequest,
      examples: namedValues({ fetched: { url: examples.FILE_URL } }),
    },
    'text/xml': A_FILE,
    'application/xml': A_FILE,
    'application/x-ndjson': { ...A_FILE, examples: namedValues({ received: examples.FILE }) },
    'application/gzip': A_FILE,
    'application/x-gzip': A_FILE,
  },
};

const createImport = createRoute({
  method: 'post',
  path: IMPORTS,
  operationId: 'createImport',
  summary: 'Import a file',
  description:
    'The body is a file of up to 95 MB, gzipped or not: a Kyero or ReSales-Online feed, or an ' +
    'export; or `{"url": …}`, where the service fetches it. The file is validated completely, ' +
    'and then written in batches: watch the import at its `Location`. A file that is truncated ' +
    'or invalid changes nothing.',
  ...WRITE,
  request: { query: schemas.importQuery, body: IMPORT_BODY },
  responses: {
    202: ok(schemas.importSummary, ACCEPTED, {
      headers: ['Location'],
      examples: {
        fetched: examples.FETCHING,
        received: { ...examples.FETCHING, state: 'validating', bytes: 57 },
      },
    }),
    ...errors(
      CHANGE_ERRORS,
      body(MAX_BYTES, typesOf(IMPORT_BODY.content)),
      fields({ '/url': message('host_not_public') }),
      error(
        'body_too_large',
        'a file of more than 95 MB, or more than 16 KiB of JSON.',
        'The maximum is 16 KiB.',
      ),
      error(
        'bad_parameter',
        'a parameter is invalid, or the file is incomplete.',
        'max_withdrawn must be an integer from 0 to 100.',
      ),
      error('too_many_imports', `${MAX_WAITING} imports are waiting.`, TOO_MANY_IMPORTS),
    ),
  },
});

imports.openapi(createImport, async (c) => {
  const query = c.req.valid('query');
  await limitChanges(c);
  const { accountId, actor } = clientWriter(c.var.caller);
  const options: ImportOptions = {
    actor,
    format: query.format ?? null,
    strict: query.strict,
    replace: query.replace,
    maxWithdrawn: query.max_withdrawn,
    channel: query.channel ?? null,
    dryRun: query.dry_run,
  };
  const isUrl = mediaType(c.req.header('Content-Type')) === 'application/json';
  const { url } = (c.req.valid('json') ?? {}) as z.output<typeof schemas.importRequest>;
  const id = isUrl
    ? await importUrl(c.env, accountId, options, checkUrl(c.env, url))
    : await importFile(c.env, accountId, options, receivedChunks(c.req.raw.body)).catch(asProblem);
  if (id === null) throw new ProblemError({ code: 'too_many_imports', detail: TOO_MANY_IMPORTS });
  return c.json(schemas.importView(await foundImport(c, id)), 202, acceptedAt(id));
});

function asProblem(error: unknown): never {
  if (!(error instanceof ImportError)) throw error;
  if (!(error instanceof FileTooLarge))
    throw new ProblemError({
      code: 'bad_parameter',
      detail: 'The file is incomplete, or arrived too slowly.',
    });
  throw new ProblemError({
    code: 'body_too_large',
    detail: `The maximum is ${MAX_FILE_BYTES / 1e6} MB.`,
  });
}

const getImports = createRoute({
  method: 'get',
  path: IMPORTS,
  operationId: 'listImports',
  summary: 'List imports',
  description: 'Those of the last 90 days, latest first.',
  ...READ,
  request: { query: pageQuery },
  responses: {
    200: ok(schemas.importList, 'The account’s imports.', { headers: ['Link'] }),
    ...errors(READ_ERRORS, page),
  },
});

imports.openapi(getImports, async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const found = await listedImports(c, null, cursor, limit + 1);
  const { entries, headers } = pageOf(c, found, limit, ({ id }) => id);
  return c.json({ imports: entries.map(schemas.importView) }, 200, headers);
});

const getImport = createRoute({
  method: 'get',
  path: IMPORT,
  operationId: 'getImport',
  summary: 'An import: its progress, then its report',
  ...READ,
  request: { params: schemas.byId },
  responses: {
    200: ok(schemas.importWithReport, 'The import.', {
      examples: {
        import: { ...examples.HELD, report: null, would_withdraw: examples.WOULD_WITHDRAW },
      },
    }),
    ...errors(READ_ERRORS, BAD_ID, missing('import', 999_999)),
  },
});

imports.openapi(getImport, async (c) => {
  const found = await foundImport(c, c.req.valid('param').import_id);
  const report = await readReport(c.env, c.var.caller.accountId, found);
  const view = { ...schemas.importView(found), ...report };
  return c.json(view as z.output<typeof schemas.importWithReport>, 200, REVALIDATED);
});

const NOT_HELD = 'The import is not held.';

const approveImport = createRoute({
  method: 'post',
  path: `${IMPORT}/approve`,
  operationId: 'approveImport',
  summary: 'Apply an import that is held',
  description: 'It then withdraws every listed property that its file does not have.',
  ...WRITE,
  request: { params: schemas.byId },
  responses: {
    200: ok(schemas.importSummary, 'The import.', {
      examples: { approved: { ...examples.HELD, state: 'validating', error: null } },
    }),
    ...errors(
      CHANGE_ERRORS,
      BAD_ID,
      missing('import', 999_999),
      error('wrong_state', 'the import is not held.', NOT_HELD),
    ),
  },
});

imports.openapi(approveImport, async (c) => {
  const { import_id: id } = c.req.valid('param');
  await limitChanges(c);
  const isDone = await approve(c.env, c.var.caller.accountId, id);
  const view = schemas.importView(await foundImport(c, id));
  if (!isDone) throw new ProblemError({ code: 'wrong_state', detail: NOT_HELD });
  return c.json(view, 200, NOT_CACHED);
});

const ENDED = 'The import has ended.';

const cancelImport = createRoute({
  method: 'post',
  path: `${IMPORT}/cancel`,
  operationId: 'cancelImport',
  summary: 'Cancel an import',
  description: 'Records that it has already written are complete, and stay.',
  ...WRITE,
  request: { params: schemas.byId },
  responses: {
    200: ok(schemas.importSummary, 'The import.', {
      examples: { cancelled: { ...examples.HELD, state: 'cancelled' } },
    }),
    ...errors(
      CHANGE_ERRORS,
      BAD_ID,
      missing('import', 999_999),
      error('wrong_state', 'the import has ended.', ENDED),
    ),
  },
});

imports.openapi(cancelImport, async (c) => {
  const { import_id: id } = c.req.valid('param');
  await limitChanges(c);
  const isDone = await cancel(c.env, c.var.caller.accountId, id, nowInSeconds());
  const view = schemas.importView(await foundImport(c, id));
  if (!isDone) throw new ProblemError({ code: 'wrong_state', detail: ENDED });
  return c.json(view, 200, NOT_CACHED);
});
