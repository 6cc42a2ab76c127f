import { findImport, type Import, type ImportOptions, listImports, MAX_WAITING } from '../../db/imports/imports.ts';
import type { Env } from '../../env.ts';
import { Api } from '../../http/api.ts';
import { documentedIn, ok } from '../../http/operation.ts';
import { mayCallLocal } from '../../http/outbound.ts';
import { NOT_CACHED, type PageRequest, pageOf, pageQuery, REVALIDATED } from '../../http/page.ts';
import { mediaType } from '../../lib/http/media-type.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { invalidFields, ProblemError } from '../../problem.ts';
import { addressError } from './address.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
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

/** The bytes of a JSON body, at most. */
export const MAX_BYTES = 16 * 1024;

/** Who may read, and who may change: the number of changes per minute is limited. */
export const READ = { middleware: requireScope('properties:read') } as const;
export const WRITE = { middleware: requireScope('properties:write'), limited: true } as const;

export const documented = documentedIn(EXAMPLES);

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
    ...WRITE,
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
    ...documented('createImport'),
  },
  async (c) => {
    const { accountId } = c.var.caller;
    const { format = null, strict, replace, max_withdrawn: maxWithdrawn, channel = null } = c.req.valid('query');
    const options: ImportOptions = { format, strict, replace, maxWithdrawn, channel };
    const isUrl = mediaType(c.req.header('Content-Type')) === 'application/json';
    const id = isUrl
      ? await importUrl(c.env, accountId, options, checked(c.env, c.req.valid('json').url))
      : await received(c.env, accountId, options, c.req.raw.body);
    if (id === null) {
      throw new ProblemError({ code: 'too_many_imports', detail: `At most ${MAX_WAITING} imports may wait.` });
    }
    const view = importView(await find(c.env, accountId, id));
    return c.json(view, 202, { ...NOT_CACHED, Location: `${IMPORTS}/${id}` });
  },
);

/** A URL that the Worker may fetch. */
export function checked(env: Env, url: string): string {
  const detail = addressError(url, mayCallLocal(env));
  if (detail !== null) throw new ProblemError(invalidFields([{ pointer: '/url', detail }]));
  return url;
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
    if (!(error instanceof FileTooLarge)) throw error;
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
    ...READ,
    request: { query: pageQuery },
    responses: { 200: ok(importList, 'The account’s imports.', 'Link') },
    ...documented('listImports'),
  },
  async (c) => {
    const { body, headers } = await listed(c.env, c.req.url, c.req.valid('query'), c.var.caller.accountId, null);
    return c.json(body, 200, headers);
  },
);

/** A page of the imports of an account, or of those of one of its sources. */
export async function listed(
  env: Env,
  requestUrl: string,
  page: PageRequest,
  accountId: number,
  source: string | null,
) {
  const before = page.cursor === null ? Number.MAX_SAFE_INTEGER : Number(page.cursor);
  const found = await listImports(env.DB, accountId, source, before, page.limit + 1);
  const { entries, headers } = pageOf(requestUrl, page, found, (last) => String(last.id));
  return { body: { imports: entries.map(importView) }, headers };
}

imports.operation(
  {
    method: 'get',
    path: IMPORT,
    operationId: 'getImport',
    summary: 'An import: its progress, then its report',
    description: 'HEAD works as well.',
    ...READ,
    request: { params: byId },
    responses: { 200: ok(importWithReport, 'The import.') },
    ...documented('getImport'),
  },
  async (c) => {
    const { accountId } = c.var.caller;
    const found = await find(c.env, accountId, c.req.valid('param').import);
    const report = await readReport(c.env, accountId, found);
    return c.json({ ...importView(found), report }, 200, REVALIDATED);
  },
);

/** What ends the waiting of an import, and why it cannot. */
const DECISIONS = [
  {
    verb: 'approve',
    decide: approve,
    summary: 'Apply an import that is held',
    description: 'It withdraws as many properties as it would.',
    refusal: 'The import is not held.',
  },
  {
    verb: 'cancel',
    decide: cancel,
    summary: 'Cancel an import',
    description: 'What it has written remains: complete records.',
    refusal: 'The import has ended.',
  },
] as const;

for (const { verb, decide, summary, description, refusal } of DECISIONS) {
  imports.operation(
    {
      method: 'post',
      path: `${IMPORT}/${verb}`,
      operationId: `${verb}Import`,
      ...{ summary, description },
      ...WRITE,
      request: { params: byId },
      responses: { 200: ok(importSummary, 'The import.') },
      ...documented(`${verb}Import`),
    },
    async (c) => {
      const { accountId } = c.var.caller;
      const { import: id } = c.req.valid('param');
      const isDone = await decide(c.env, accountId, id, Math.floor(Date.now() / 1_000));
      const view = importView(await find(c.env, accountId, id));
      if (!isDone) throw new ProblemError({ code: 'wrong_state', detail: refusal });
      return c.json(view, 200, NOT_CACHED);
    },
  );
}

/** The same for imports of other accounts as for those that do not exist. */
export async function find(env: Env, accountId: number, id: number): Promise<Import> {
  const found = await findImport(env.DB, accountId, id);
  if (found !== null) return found;
  throw new ProblemError({ code: 'import_not_found', detail: `The account has no import ${id}.` });
}
