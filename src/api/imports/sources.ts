import {
  deleteSource,
  findSource,
  listSources,
  MAX_SOURCES,
  type Source,
  type SourceAddress,
} from '../../db/imports/sources.ts';
import type { Env } from '../../env.ts';
import { Api } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { NOT_CACHED, pageOf, pageQuery, REVALIDATED } from '../../http/page.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { ProblemError } from '../../problem.ts';
import { runSource, saveSource } from './manage.ts';
import { checked, documented, find as findImport, listed, MAX_BYTES, READ, WRITE } from './route.ts';
import {
  byNewSource,
  bySource,
  importList,
  importSummary,
  sourceList,
  source as sourceSchema,
  sourceSettings,
} from './schemas.ts';
import { importView, sourceView } from './view.ts';

const SOURCES = '/v1/sources';
const SOURCE = `${SOURCES}/{source}` as const;

/** Manages the sources of the account that the token belongs to: files that are imported on a schedule. */
export const sources = new Api('Imports');

sources.operation(
  {
    method: 'put',
    path: SOURCE,
    operationId: 'putSource',
    summary: 'Create or change a source',
    description:
      'A file at a URL that is imported on a schedule; for the first time, within five minutes. Properties that the file no ' +
      'longer has are withdrawn, unless another source has them or they were imported in another way. A run that fails is ' +
      'repeated after five minutes, then after four times as long each time, up to a day.',
    ...WRITE,
    request: { params: byNewSource, body: json(sourceSettings, MAX_BYTES) },
    responses: { 201: ok(sourceSchema, 'The new source.'), 200: ok(sourceSchema, 'The changed source.') },
    ...documented('putSource'),
  },
  async (c) => {
    const address = addressOf(c);
    const { url: given, max_withdrawn: maxWithdrawn, ...settings } = c.req.valid('json');
    const url = checked(c.env, given);
    const isNew = await saveSource(c.env, address, { ...settings, maxWithdrawn }, url, now());
    if (isNew === null) {
      throw new ProblemError({ code: 'too_many_sources', detail: `An account has at most ${MAX_SOURCES} sources.` });
    }
    return c.json(sourceView(await find(c.env, address)), isNew ? 201 : 200, NOT_CACHED);
  },
);

sources.operation(
  {
    method: 'get',
    path: SOURCES,
    operationId: 'listSources',
    summary: 'List sources',
    description: 'Ordered by name. HEAD works as well.',
    ...READ,
    request: { query: pageQuery },
    responses: { 200: ok(sourceList, 'The account’s sources.', 'Link') },
    ...documented('listSources'),
  },
  async (c) => {
    const page = c.req.valid('query');
    const { accountId } = c.var.caller;
    const found = await listSources(c.env.DB, accountId, page.cursor, page.limit + 1);
    const { entries, headers } = pageOf(c.req.url, page, found, (last) => last.name);
    return c.json({ sources: entries.map(sourceView) }, 200, headers);
  },
);

sources.operation(
  {
    method: 'get',
    path: SOURCE,
    operationId: 'getSource',
    summary: 'A source, and its last run',
    description: 'HEAD works as well.',
    ...READ,
    request: { params: bySource },
    responses: { 200: ok(sourceSchema, 'The source.') },
    ...documented('getSource'),
  },
  async (c) => c.json(sourceView(await find(c.env, addressOf(c))), 200, REVALIDATED),
);

sources.operation(
  {
    method: 'post',
    path: `${SOURCE}/run`,
    operationId: 'runSource',
    summary: 'Import a source now',
    description: 'Whether it is enabled or not.',
    ...WRITE,
    request: { params: bySource },
    responses: { 202: ok(importSummary, 'The import has been accepted.', 'Location') },
    ...documented('runSource'),
  },
  async (c) => {
    const source = await find(c.env, addressOf(c));
    const id = await runSource(c.env, source, now());
    if (id === null) {
      throw new ProblemError({ code: 'wrong_state', detail: 'An import of the source waits or is under way.' });
    }
    const started = importView(await findImport(c.env, source.accountId, id));
    return c.json(started, 202, { ...NOT_CACHED, Location: `/v1/imports/${id}` });
  },
);

sources.operation(
  {
    method: 'get',
    path: `${SOURCE}/runs`,
    operationId: 'listRuns',
    summary: 'List the runs of a source',
    description: 'Of the last 90 days, and the last one with a report; the latest first. HEAD works as well.',
    ...READ,
    request: { params: bySource, query: pageQuery },
    responses: { 200: ok(importList, 'The imports of the source.', 'Link') },
    ...documented('listRuns'),
  },
  async (c) => {
    const { accountId, name } = await find(c.env, addressOf(c));
    const { body, headers } = await listed(c.env, c.req.url, c.req.valid('query'), accountId, name);
    return c.json(body, 200, headers);
  },
);

sources.operation(
  {
    method: 'delete',
    path: SOURCE,
    operationId: 'deleteSource',
    summary: 'Delete a source',
    description: 'Its import is cancelled; its properties remain.',
    ...WRITE,
    request: { params: bySource },
    responses: { 204: empty('The source no longer exists.') },
    ...documented('deleteSource'),
  },
  async (c) => {
    const address = addressOf(c);
    if (!(await deleteSource(c.env.DB, address))) throw notFound(address);
    return c.body(null, 204);
  },
);

function now(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}

/** What {@link addressOf} needs of a request's context. */
interface Addressed {
  readonly var: { readonly caller: { readonly accountId: number } };
  readonly req: { valid(place: 'param'): { readonly source: string } };
}

function addressOf(c: Addressed): SourceAddress {
  return { accountId: c.var.caller.accountId, name: c.req.valid('param').source };
}

async function find(env: Env, address: SourceAddress): Promise<Source> {
  const found = await findSource(env.DB, address);
  if (found === null) throw notFound(address);
  return found;
}

/** The same for sources of other accounts as for those that do not exist. */
function notFound({ name }: SourceAddress): ProblemError {
  return new ProblemError({ code: 'source_not_found', detail: `The account has no source ${JSON.stringify(name)}.` });
}
