import { clientWriter } from '../../accounts/actor.ts';
import { Api } from '../../api/api.ts';
import { ok } from '../../api/operation.ts';
import { type Caller, Resource } from '../../api/resource.ts';
import type { Address } from '../../db/statements.ts';
import { checkUrl } from '../../http/outbound.ts';
import { mediaType } from '../../lib/http/media-type.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { existing, invalidFields, notFound, ProblemError } from '../../problem.ts';
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
import EXAMPLES from './examples.json' with { type: 'json' };
import * as schemas from './schemas.ts';

const IMPORTS = '/v1/imports';
const IMPORT = `${IMPORTS}/{import_id}` as const;

/** Maximum size of a JSON body, in bytes. */
const MAX_BYTES = 16 * 1024;

const READ = { middleware: requireScope('properties:read') };
const WRITE = { middleware: requireScope('properties:write'), limited: true } as const;

const ACCEPTED = { 202: ok(schemas.importSummary, 'The import has been accepted.', 'Location') };

const CRM = EXAMPLES.getSource.examples.source.body;

/** Imports files into the account that the token belongs to, once or on a schedule. */
export const imports = new Api('Imports', EXAMPLES);

imports.write({
  method: 'post',
  path: IMPORTS,
  operationId: 'createImport',
  summary: 'Import a file',
  description:
    'The body is a file of up to 95 MB, gzipped or not: a Kyero or ReSales-Online feed, or an export; or `{"url": …}`, where ' +
    'the service fetches it. The file is validated completely, and then written in batches: watch the import at its ' +
    '`Location`. A file that is truncated or invalid changes nothing.',
  ...WRITE,
  request: {
    query: schemas.importQuery,
    body: {
      maxBytes: MAX_BYTES,
      content: {
        'application/json': schemas.importRequest,
        ...Object.fromEntries(schemas.FILE_TYPES.map((type) => [type, schemas.file])),
      },
    },
  },
  responses: ACCEPTED,
  handle: async (c, { query, body }) => {
    const { accountId, actor } = clientWriter(c.var.caller);
    const {
      format = null,
      strict,
      replace,
      max_withdrawn: maxWithdrawn,
      channel = null,
      dry_run: dryRun,
    } = query;
    const options: ImportOptions = {
      actor,
      format,
      strict,
      replace,
      maxWithdrawn,
      channel,
      dryRun,
    };
    const isUrl = mediaType(c.req.header('Content-Type')) === 'application/json';
    const id = isUrl
      ? await importUrl(c.env, accountId, options, checkUrl(c.env, body.url))
      : await importFile(c.env, accountId, options, chunksOf(c.req.raw.body)).catch(asProblem);
    if (id === null) {
      throw new ProblemError({
        code: 'too_many_imports',
        detail: `At most ${MAX_WAITING} imports can be waiting.`,
      });
    }
    return accepted(c, id);
  },
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

imports.list({
  path: IMPORTS,
  operationId: 'listImports',
  summary: 'List imports',
  description: 'Those of the last 90 days, latest first.',
  ...READ,
  responses: { 200: ok(schemas.importList, 'The account’s imports.', 'Link') },
  handle: (c, _, after, limit) => listed(c, null, after, limit),
});

imports.read({
  path: IMPORT,
  operationId: 'getImport',
  summary: 'An import: its progress, then its report',
  ...READ,
  request: { params: schemas.byId },
  responses: { 200: ok(schemas.importWithReport, 'The import.') },
  handle: async (c, { params }) => {
    const found = await find(c, params.import_id);
    return {
      body: {
        ...schemas.importView(found),
        ...(await readReport(c.env, c.var.caller.accountId, found)),
      },
    };
  },
});

/** What can be decided about an import, and why it is refused in another state. */
const DECISIONS = {
  approve: {
    decide: approve,
    summary: 'Apply an import that is held',
    description: 'It then withdraws every listed property that its file does not have.',
    refusal: 'The import is not held.',
  },
  cancel: {
    decide: cancel,
    summary: 'Cancel an import',
    description: 'Records that it has already written are complete, and stay.',
    refusal: 'The import has ended.',
  },
};

for (const [verb, { decide, refusal, ...documented }] of Object.entries(DECISIONS)) {
  imports.write({
    ...documented,
    method: 'post',
    path: `${IMPORT}/${verb}`,
    operationId: `${verb}Import`,
    ...WRITE,
    request: { params: schemas.byId },
    responses: { 200: ok(schemas.importSummary, 'The import.') },
    handle: async (c, { params: { import_id: id } }) => {
      const isDone = await decide(c.env, c.var.caller.accountId, id, nowInSeconds());
      const body = schemas.importView(await find(c, id));
      if (!isDone) throw new ProblemError({ code: 'wrong_state', detail: refusal });
      return { body };
    },
  });
}

/** Manages the sources of the account that the token belongs to. */
export const sources = new Resource(
  'Imports',
  {
    kind: 'source',
    scope: 'properties',
    schema: schemas.source,
    example: CRM,
    contents: 'The source and its last run.',
    list: async ({ env }, account, after, limit) =>
      (await listSources(env.DB, account, after, limit)).map((one) =>
        schemas.sourceView(one, nowInSeconds()),
      ),
    find: async ({ env }, address) => {
      const found = await findSource(env.DB, address);
      return found && schemas.sourceView(found, nowInSeconds());
    },
    remove: ({ env }, address) => deleteSource(env.DB, address),
  },
  EXAMPLES,
);

sources.puts({
  description:
    'A source is a file at a URL that is imported on a schedule, for the first time within five minutes. Properties that ' +
    'the file no longer has are withdrawn, unless another source has them or they were imported in another way. A run ' +
    'that fails is repeated after five minutes, then after four times as long each time, up to a day.',
  body: schemas.sourceSettings,
  sent: {
    url: 'https://crm.example.com/feed.xml?key=secret',
    format: CRM.format,
    every: CRM.every,
    at: CRM.at,
  },
  most: MAX_SOURCES,
  handle: async ({ env }, address, { url, max_withdrawn: maxWithdrawn, ...settings }) => {
    const isNew = await saveSource(
      env,
      address,
      { ...settings, maxWithdrawn },
      checkUrl(env, url),
      nowInSeconds(),
    );
    if (isNew !== 'masked') return isNew === null ? null : { isNew };
    const detail = 'must state what *** hides, unless it is exactly the URL that was returned';
    throw new ProblemError(invalidFields([{ pointer: '/url', detail }]));
  },
});

sources.reads();

sources.action('run', {
  operationId: 'runSource',
  summary: 'Import a source now',
  description: 'Imports the source whether it is enabled or not.',
  responses: ACCEPTED,
  handle: async (c, address) => {
    const id = await runSource(c.env, await foundSource(c, address), nowInSeconds());
    if (id !== null) return accepted(c, id);
    throw new ProblemError({
      code: 'wrong_state',
      detail: 'An import of the source is waiting or under way.',
    });
  },
});

sources.list({
  ...sources.ofOne('runs'),
  operationId: 'listRuns',
  summary: 'List the runs of a source',
  description: 'Those of the last 90 days, and always the last one with a report; latest first.',
  responses: { 200: ok(schemas.importList, 'The imports of the source.', 'Link') },
  handle: async (c, { params }, after, limit) =>
    listed(c, (await foundSource(c, sources.addressOf(c, params))).name, after, limit),
});

sources.deletes({ description: 'Its import is cancelled; its properties remain.' });

async function accepted(c: Caller, id: number) {
  return {
    status: 202,
    body: schemas.importView(await find(c, id)),
    headers: { Location: `${IMPORTS}/${id}` },
  };
}

/** The imports of the account, or of one of its sources, before one with an id; by their ids. */
async function listed(c: Caller, source: string | null, after: string | null, limit: number) {
  const before = after === null ? Number.MAX_SAFE_INTEGER : Number(after);
  const found = await listImports(c.env.DB, c.var.caller.accountId, source, before, limit);
  return found.map((one) => [String(one.id), schemas.importView(one)] as const);
}

/** @throws ProblemError if the account has no such import */
async function find(c: Caller, id: number): Promise<Import> {
  return existing(await findImport(c.env.DB, c.var.caller.accountId, id), notFound('import', id));
}

/** @throws ProblemError if the account has no such source */
async function foundSource({ env }: Caller, address: Address): Promise<Source> {
  return existing(await findSource(env.DB, address), notFound('source', address.name));
}
