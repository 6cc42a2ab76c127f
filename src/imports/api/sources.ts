import type { Context } from 'hono';
import { serveCollection } from '../../api/collection.ts';
import { NOT_CACHED } from '../../api/headers.ts';
import { created, json, limitChanges, pageOf, pageQuery } from '../../api/requests.ts';
import { body, error, errors, fields, missing, newName, ok, page } from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { byName, byNewName } from '../../api/schemas.ts';
import { checkUrl } from '../../http/outbound.ts';
import { nowInSeconds } from '../../lib/time/time.ts';
import { message } from '../../messages/messages.ts';
import type { CallerEnv } from '../../oauth/bearer.ts';
import { existing, fieldError, invalidFields, notFound, ProblemError } from '../../problem.ts';
import { serves } from '../../request-log.ts';
import { runSource, saveSource } from '../runs/manage.ts';
import {
  deleteSource,
  findSource,
  listSources,
  MAX_SOURCES,
  type Source,
} from '../runs/sources.ts';
import {
  ACCEPTED,
  acceptedAt,
  CHANGE_ERRORS,
  foundImport,
  listedImports,
  MAX_BYTES,
  READ,
  READ_ERRORS,
  WRITE,
} from './api.ts';
import * as examples from './examples.ts';
import * as schemas from './schemas.ts';

const SOURCES = '/v1/sources';
const SOURCE = `${SOURCES}/{source}` as const;

/** Manages the sources of the account that the token belongs to: files that are imported on a schedule. */
export const sources = new Router();

sources.use(`${SOURCES}/*`, serves('imports'));

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
        '/at': message('not_schedule'),
        '/time_zone': message('not_time_zone'),
      }),
      error('too_many_sources', `the account has ${MAX_SOURCES} sources.`, TOO_MANY_SOURCES),
    ),
  },
});

sources.openapi(putSource, async (c) => {
  const given = c.req.valid('json');
  const { url, time_zone: timeZone, max_withdrawn: maxWithdrawn, ...rest } = given;
  const { copy_pictures: copyPictures, ...others } = rest;
  await limitChanges(c);
  const { source: name } = c.req.valid('param');
  const address = { accountId: c.var.caller.accountId, name };
  const origin = c.env.PUBLIC_ORIGIN || new URL(c.req.url).origin;
  const settings = { ...others, timeZone, maxWithdrawn, copyPictures, origin };
  const checked = checkUrl(c.env, url);
  const isNew = await saveSource(c.env, address, settings, checked, nowInSeconds());
  if (isNew === 'masked') {
    throw new ProblemError(invalidFields([fieldError('/url', message('hides_changes'))]));
  }
  if (isNew === null)
    throw new ProblemError({ code: 'too_many_sources', detail: TOO_MANY_SOURCES });
  const view = schemas.sourceView(await foundSource(c, name), nowInSeconds());
  return isNew
    ? c.json(view, 201, { ...NOT_CACHED, ...created(c) })
    : c.json(view, 200, NOT_CACHED);
});

serveCollection(sources, {
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

sources.openapi(runSourceNow, async (c) => {
  const { source } = c.req.valid('param');
  await limitChanges(c);
  const id = await runSource(c.env, await foundSource(c, source), nowInSeconds());
  if (id === null) throw new ProblemError({ code: 'wrong_state', detail: RUNNING });
  return c.json(schemas.importView(await foundImport(c, id)), 202, acceptedAt(id));
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

sources.openapi(listRuns, async (c) => {
  const { limit, cursor } = c.req.valid('query');
  const { name } = await foundSource(c, c.req.valid('param').source);
  const found = await listedImports(c, name, cursor, limit + 1);
  const { entries, headers } = pageOf(c, found, limit, ({ id }) => id);
  return c.json({ imports: entries.map(schemas.importView) }, 200, headers);
});

/** @throws ProblemError if the account has no such source */
async function foundSource(c: Context<CallerEnv>, name: string): Promise<Source> {
  const found = await findSource(c.env.DB, { accountId: c.var.caller.accountId, name });
  return existing(found, notFound('source', name));
}
