import { findImport, type Import, type ImportOptions, listImports, MAX_WAITING } from '../db/imports.ts';
import type { Env } from '../env.ts';
import { Api } from '../http/api.ts';
import { ok } from '../http/operation.ts';
import { mayCallLocal } from '../http/outbound.ts';
import { pageOf, pageQuery, REVALIDATED } from '../http/page.ts';
import { mediaType } from '../lib/media-type.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import { requireScope } from '../oauth/bearer.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import { addressError } from './address.ts';
import { AT_17, BAD_ID, FEED_URL, HELD, NDJSON, NO_IMPORT, RECEIVED, STARTED } from './examples.ts';
import { FileTooLarge, MAX_FILE_BYTES } from './files.ts';
import { approve, cancel, importFile, importUrl, readReport } from './manage.ts';
import {
  byId,
  FILE_TYPES,
  file,
  importList,
  importQuery,
  importRequest,
  importSummary,
  importWithReport,
} from './schemas.ts';
import { importView } from './view.ts';

const IMPORTS = '/v1/imports';
const IMPORT = `${IMPORTS}/{import}` as const;
const MAX_BYTES = 16 * 1024;
const NOT_CACHED = { 'Cache-Control': 'no-store' };
const READ = requireScope('properties:read');
const WRITE = requireScope('properties:write');

/** Imports files into the account that the token belongs to. */
export const imports = new Api('Imports');

imports.operation(
  {
    method: 'post',
    path: IMPORTS,
    operationId: 'createImport',
    summary: 'Import a file',
    description:
      'The body is a file of up to 100 MiB, gzipped or not: a Kyero or ReSales-Online feed, or an export; or `{"url": …}`, where ' +
      'the service fetches it. The file is validated completely, and then written in batches: watch the import at its ' +
      '`Location`. A file that is truncated or invalid changes nothing.',
    middleware: WRITE,
    limited: true,
    request: {
      query: importQuery,
      body: {
        required: true,
        maxBytes: MAX_BYTES,
        content: {
          'application/json': { schema: importRequest },
          ...Object.fromEntries(FILE_TYPES.map((type) => [type, { schema: file }])),
        },
      },
    },
    responses: { 202: ok(importSummary, 'The import has been accepted.', 'Location') },
    problems: {
      bad_parameter: {
        description: 'a parameter is invalid, or the file is incomplete.',
        detail: 'max_withdrawn must be an integer from 0 to 100.',
        request: { query: { max_withdrawn: '101' }, body: { url: FEED_URL } },
      },
      too_many_imports: {
        description: `${MAX_WAITING} imports wait.`,
        detail: `At most ${MAX_WAITING} imports may wait.`,
        request: { body: { url: FEED_URL } },
        when: 'the account has too many imports',
      },
      invalid_fields: {
        request: { body: { url: 'https://10.0.0.1/feed.xml' } },
        errors: [{ pointer: '/url', detail: 'The host of the URL must be public.' }],
      },
    },
    examples: {
      fetched: { request: { body: { url: FEED_URL } }, body: STARTED },
      received: {
        request: { query: { replace: 'true' }, body: NDJSON, mediaType: 'application/x-ndjson' },
        body: RECEIVED,
      },
    },
  },
  async (c) => {
    const { accountId } = c.var.caller;
    const { format = null, strict, replace, max_withdrawn: maxWithdrawn, channel = null } = c.req.valid('query');
    const options: ImportOptions = { format, strict, replace, maxWithdrawn, channel };
    const isUrl = mediaType(c.req.header('Content-Type')) === 'application/json';
    const id = isUrl
      ? await fetched(c.env, accountId, options, c.req.valid('json').url)
      : await received(c.env, accountId, options, c.req.raw.body);
    if (id === null) {
      throw new ProblemError({ code: 'too_many_imports', detail: `At most ${MAX_WAITING} imports may wait.` });
    }
    const view = importView(await find(c.env, accountId, id));
    return c.json(view, 202, { ...NOT_CACHED, Location: `${IMPORTS}/${id}` });
  },
);

function fetched(env: Env, accountId: number, options: ImportOptions, url: string): Promise<number | null> {
  const detail = addressError(url, mayCallLocal(env));
  if (detail !== null) throw new ProblemError(invalidFields([{ pointer: '/url', detail }]));
  return orUnavailable('import', importUrl(env, accountId, options, url));
}

async function received(
  env: Env,
  accountId: number,
  options: ImportOptions,
  body: ReadableStream<Uint8Array> | null,
): Promise<number | null> {
  try {
    return await importFile(env, accountId, options, chunksOf(body));
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    if (!(error instanceof FileTooLarge)) return orUnavailable('import', Promise.reject(error));
    throw new ProblemError({ code: 'body_too_large', detail: `The maximum is ${MAX_FILE_BYTES / 1024 ** 2} MiB.` });
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    yield* body?.values({ preventCancel: true }) ?? [];
  } catch {
    throw new ProblemError({ code: 'bad_parameter', detail: 'The file is incomplete.' });
  }
}

imports.operation(
  {
    method: 'get',
    path: IMPORTS,
    operationId: 'listImports',
    summary: 'List imports',
    description: 'Of the last 90 days, the latest first. HEAD works as well.',
    middleware: READ,
    request: { query: pageQuery },
    responses: { 200: ok(importList, 'The account’s imports.', 'Link') },
    examples: { imports: { request: { query: { limit: '1' } } } },
  },
  async (c) => {
    const page = c.req.valid('query');
    const before = page.cursor === null ? Number.MAX_SAFE_INTEGER : Number(page.cursor);
    const found = await orUnavailable(
      'imports',
      listImports(c.env.DB, c.var.caller.accountId, null, before, page.limit + 1),
    );
    const { entries, headers } = pageOf(c.req.url, page, found, (last) => String(last.id));
    return c.json({ imports: entries.map(importView) }, 200, headers);
  },
);

imports.operation(
  {
    method: 'get',
    path: IMPORT,
    operationId: 'getImport',
    summary: 'An import: its progress, then its report',
    description: 'HEAD works as well.',
    middleware: READ,
    request: { params: byId },
    responses: { 200: ok(importWithReport, 'The import.') },
    problems: { bad_parameter: BAD_ID, import_not_found: NO_IMPORT },
    examples: { import: { request: AT_17, body: { ...HELD, report: null }, when: 'the import is held' } },
  },
  async (c) => {
    const { accountId } = c.var.caller;
    const found = await find(c.env, accountId, c.req.valid('param').import);
    const report = await orUnavailable('report', readReport(c.env, accountId, found));
    return c.json({ ...importView(found), report }, 200, REVALIDATED);
  },
);

imports.operation(
  {
    method: 'post',
    path: `${IMPORT}/approve`,
    operationId: 'approveImport',
    summary: 'Apply an import that is held',
    description: 'It withdraws as many properties as it would.',
    middleware: WRITE,
    limited: true,
    request: { params: byId },
    responses: { 200: ok(importSummary, 'The import.') },
    problems: {
      bad_parameter: BAD_ID,
      import_not_found: NO_IMPORT,
      wrong_state: { description: 'the import is not held.', detail: 'The import is not held.', request: AT_17 },
    },
    examples: {
      approved: {
        request: AT_17,
        body: { ...HELD, state: 'validating', error: null },
        when: 'the import is held',
      },
    },
  },
  async (c) => {
    const { accountId } = c.var.caller;
    const { import: id } = c.req.valid('param');
    const wasHeld = await orUnavailable('import', approve(c.env, accountId, id));
    const view = importView(await find(c.env, accountId, id));
    if (!wasHeld) throw new ProblemError({ code: 'wrong_state', detail: 'The import is not held.' });
    return c.json(view, 200, NOT_CACHED);
  },
);

imports.operation(
  {
    method: 'post',
    path: `${IMPORT}/cancel`,
    operationId: 'cancelImport',
    summary: 'Cancel an import',
    description: 'What it has written remains: complete records.',
    middleware: WRITE,
    limited: true,
    request: { params: byId },
    responses: { 200: ok(importSummary, 'The import.') },
    problems: {
      bad_parameter: BAD_ID,
      import_not_found: NO_IMPORT,
      wrong_state: { description: 'the import has ended.', detail: 'The import has ended.', request: AT_17 },
    },
    examples: {
      cancelled: { request: AT_17, body: { ...HELD, state: 'cancelled' }, when: 'the import is held' },
    },
  },
  async (c) => {
    const { accountId } = c.var.caller;
    const { import: id } = c.req.valid('param');
    const wasActive = await orUnavailable('import', cancel(c.env, accountId, id, Math.floor(Date.now() / 1_000)));
    const view = importView(await find(c.env, accountId, id));
    if (!wasActive) throw new ProblemError({ code: 'wrong_state', detail: 'The import has ended.' });
    return c.json(view, 200, NOT_CACHED);
  },
);

/** The same for imports of other accounts as for those that do not exist. */
async function find(env: Env, accountId: number, id: number): Promise<Import> {
  const found = await orUnavailable('import', findImport(env.DB, accountId, id));
  if (found !== null) return found;
  throw new ProblemError({ code: 'import_not_found', detail: `The account has no import ${id}.` });
}
