import type { Context } from 'hono';
import type * as z from 'zod';
import { clientWriter } from '../../accounts/actor.ts';
import { serveCollection } from '../../api/collection.ts';
import { NOT_CACHED, REVALIDATED } from '../../api/headers.ts';
import {
  created,
  json,
  KIB,
  limitChanges,
  namedValues,
  pageOf,
  pageQuery,
  typesOf,
} from '../../api/requests.ts';
import {
  body,
  clientChanges,
  clientReads,
  error,
  errors,
  fields,
  missing,
  newName,
  ok,
  page,
} from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { byName, byNewName } from '../../api/schemas.ts';
import { checkUrl } from '../../http/outbound.ts';
import { mediaType } from '../../lib/http/media-type.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { type CallerEnv, withScope } from '../../oauth/bearer.ts';
import { existing, invalidFields, notFound, ProblemError } from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { FileTooLarge, MAX_FILE_BYTES } from '../runs/files.ts';
import {
  findImport,
  type Import,
  type ImportOptions,
  listImports,
  MAX_WAITING,
} from '../runs/imports.ts';
import {
  approve,
  cancel,
  importFile,
  importUrl,
  readReport,
  runSource,
  saveSource,
} from '../runs/manage.ts';
import {
  deleteSource,
  findSource,
  listSources,
  MAX_SOURCES,
  type Source,
} from '../runs/sources.ts';
import * as examples from './examples.ts';
import * as schemas from './schemas.ts';

const IMPORTS = '/v1/imports';
const IMPORT = `${IMPORTS}/{import_id}` as const;
const SOURCES = '/v1/sources';
const SOURCE = `${SOURCES}/{source}` as const;

const TOO_MANY_IMPORTS = `At most ${MAX_WAITING} imports can be waiting.`;

/** Maximum size of a JSON body, in bytes. */
const MAX_BYTES = 16 * KIB;

const READ = { tags: ['Imports'], ...withScope('properties:read') };
const WRITE = { tags: ['Imports'], ...withScope('properties:write') };

const READ_ERRORS = clientReads('properties:read');
const CHANGE_ERRORS = clientChanges('properties:write');

const ACCEPTED = 'The import has been accepted.';
const BAD_ID = error(
  'bad_parameter',
  'the id is not a number.',
  'import_id must be the id of an import.',
);

/** Imports files into the account that the token belongs to, once or on a schedule. */
export const imports = new Router();

imports.use(`${IMPORTS}/*`, serves('imports'));
imports.use(`${SOURCES}/*`, serves('imports'));

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
      fields({ '/url': 'The host of the URL must be public.' }),
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
    : await importFile(c.env, accountId, options, chunksOf(c.req.raw.body)).catch(asProblem);
  if (id === null) throw new ProblemError({ code: 'too_many_imports', detail: TOO_MANY_IMPORTS });
  return c.json(schemas.importView(await find(c, id)), 202, acceptedAt(id));
});

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body?.values({ preventCancel: true }) ?? [];
  } catch {
    throw new ProblemError({ code: 'bad_parameter', detail: 'The file is incomplete.' });
  }
}

function asProblem(error: unknown): never {
  if (!(error instanceof FileTooLarge)) throw error;
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
  const found = await listed(c, null, cursor, limit + 1);
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
  const found = await find(c, c.req.valid('param').import_id);
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
  const view = schemas.importView(await find(c, id));
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
  const view = schemas.importView(await find(c, id));
  if (!isDone) throw new ProblemError({ code: 'wrong_state', detail: ENDED });
  return c.json(view, 200, NOT_CACHED);
});

const NO_SOURCE = missing('source');
const TOO_MANY_SOURCES = `An account has at most ${MAX_SOURCES} sources.`;

const putSource = createRoute({
  method: 'put',
  path: SOURCE,
  operationId: 'putSource',
  summary: 'Create or change a source',
  description:
    'A source is a file at a URL that is imported on a schedule, for the first time within five ' +
    'minutes. Properties that the file no longer has are withdrawn, unless another source has ' +
    'them or they were imported in another way. A run that fails is repeated after five ' +
    'minutes, then after four times as long each time, up to a day.',
  ...WRITE,
  request: {
    params: byNewName('source', 'crm'),
    body: json(schemas.sourceSettings, MAX_BYTES, {
      created: examples.SETTINGS,
      changed: examples.SETTINGS,
    }),
  },
  responses: {
    200: ok(schemas.source, 'The changed source.', { examples: { changed: examples.SOURCE } }),
    201: ok(schemas.source, 'The new source.', {
      headers: ['Location'],
      examples: { created: { ...examples.SOURCE, name: 'crm-2' } },
    }),
    ...errors(
      CHANGE_ERRORS,
      newName('source'),
      body(MAX_BYTES),
      fields({
        '/at': 'must be a time such as 03:30; if every is week, a day and a time such as mon 03:30',
      }),
      error('too_many_sources', `the account has ${MAX_SOURCES} sources.`, TOO_MANY_SOURCES),
    ),
  },
});

imports.openapi(putSource, async (c) => {
  const { url, max_withdrawn: maxWithdrawn, ...others } = c.req.valid('json');
  await limitChanges(c);
  const { source: name } = c.req.valid('param');
  const address = { accountId: c.var.caller.accountId, name };
  const settings = { ...others, maxWithdrawn };
  const checked = checkUrl(c.env, url);
  const isNew = await saveSource(c.env, address, settings, checked, nowInSeconds());
  if (isNew === 'masked') {
    const detail = 'must state what *** hides, unless it is exactly the URL that was returned';
    throw new ProblemError(invalidFields([{ pointer: '/url', detail }]));
  }
  if (isNew === null)
    throw new ProblemError({ code: 'too_many_sources', detail: TOO_MANY_SOURCES });
  const view = schemas.sourceView(await foundSource(c, name), nowInSeconds());
  return isNew
    ? c.json(view, 201, { ...NOT_CACHED, ...created(c) })
    : c.json(view, 200, NOT_CACHED);
});

serveCollection(imports, {
  kind: 'source',
  tag: 'Imports',
  scope: 'properties',
  list: {
    entry: schemas.source,
    examples: [examples.SOURCE, { ...examples.SOURCE, name: 'crm-2' }],
    async read(c, after, limit) {
      const found = await listSources(c.env.DB, c.var.caller.accountId, after, limit);
      const now = nowInSeconds();
      return found.map((one) => schemas.sourceView(one, now));
    },
  },
  get: {
    description: 'The source and its last run.',
    schema: schemas.source,
    example: examples.SOURCE,
    read: async (c, name) => schemas.sourceView(await foundSource(c, name), nowInSeconds()),
  },
  delete: {
    description: 'Its import is cancelled; its properties remain.',
    remove: (c, name) => deleteSource(c.env.DB, { accountId: c.var.caller.accountId, name }),
  },
});

const RUNNING = 'An import of the source is waiting or under way.';

const runSourceNow = createRoute({
  method: 'post',
  path: `${SOURCE}/run`,
  operationId: 'runSource',
  summary: 'Import a source now',
  description: 'Imports the source whether it is enabled or not.',
  ...WRITE,
  request: { params: byName('source', 'crm') },
  responses: {
    202: ok(schemas.importSummary, ACCEPTED, {
      headers: ['Location'],
      examples: { started: { ...examples.FETCHING, source: 'crm' } },
    }),
    ...errors(
      CHANGE_ERRORS,
      NO_SOURCE,
      error('wrong_state', 'an import of the source is waiting or under way.', RUNNING),
    ),
  },
});

imports.openapi(runSourceNow, async (c) => {
  const { source } = c.req.valid('param');
  await limitChanges(c);
  const id = await runSource(c.env, await foundSource(c, source), nowInSeconds());
  if (id === null) throw new ProblemError({ code: 'wrong_state', detail: RUNNING });
  return c.json(schemas.importView(await find(c, id)), 202, acceptedAt(id));
});

const listRuns = createRoute({
  method: 'get',
  path: `${SOURCE}/runs`,
  operationId: 'listRuns',
  summary: 'List the runs of a source',
  description: 'Those of the last 90 days, and always the last one with a report; latest first.',
  ...READ,
  request: { params: byName('source', 'crm'), query: pageQuery },
  responses: {
    200: ok(schemas.importList, 'The imports of the source.', {
      headers: ['Link'],
      examples: { runs: { imports: [{ ...examples.FETCHING, source: 'crm' }] } },
    }),
    ...errors(READ_ERRORS, NO_SOURCE, page),
  },
});

imports.openapi(listRuns, async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { name } = await foundSource(c, c.req.valid('param').source);
  const found = await listed(c, name, cursor, limit + 1);
  const { entries, headers } = pageOf(c, found, limit, ({ id }) => id);
  return c.json({ imports: entries.map(schemas.importView) }, 200, headers);
});

function acceptedAt(id: number) {
  return { ...NOT_CACHED, Location: `${IMPORTS}/${id}` };
}

/** The imports of the account, or of one of its sources, before one with an id. */
async function listed(
  c: Context<CallerEnv>,
  source: string | null,
  after: string | null,
  limit: number,
): Promise<Import[]> {
  const before = after === null ? Number.MAX_SAFE_INTEGER : Number(after);
  return listImports(c.env.DB, c.var.caller.accountId, source, before, limit);
}

/** @throws ProblemError if the account has no such import */
async function find(c: Context<CallerEnv>, id: number): Promise<Import> {
  return existing(await findImport(c.env.DB, c.var.caller.accountId, id), notFound('import', id));
}

/** @throws ProblemError if the account has no such source */
async function foundSource(c: Context<CallerEnv>, name: string): Promise<Source> {
  const found = await findSource(c.env.DB, { accountId: c.var.caller.accountId, name });
  return existing(found, notFound('source', name));
}
