import { type Context, Hono } from 'hono';
import { listDevelopments, listUnits, readUnit } from '../db/units.ts';
import { feedsChanged } from '../feed/changed.ts';
import { forgetHeads } from '../feed/head.ts';
import { BodyError, isEncoded, readBody } from '../lib/body.ts';
import { notModified } from '../lib/conditional.ts';
import { JsonError, parseJson } from '../lib/json.ts';
import { log } from '../lib/log.ts';
import { mediaType } from '../lib/media-type.ts';
import { orUnavailable, RETRY_AFTER, Unavailable } from '../lib/unavailable.ts';
import { requestId } from '../logged.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { methodNotAllowed, problem, statusOf } from '../problem.ts';
import { nextLink, type PageRequest, readPageRequest } from './page.ts';
import { applyUpdate, invalidFields, noDevelopment, notFound, type Outcome } from './update.ts';
import { applyUpdates, MAX_UPDATES, NOT_APPLIED } from './update-many.ts';
import { allowedVersions, changeView, developmentView, unitTag, unitView } from './view.ts';

const DEVELOPMENTS = '/v1/developments';
const UNITS = `${DEVELOPMENTS}/:development/units`;

const KIBIBYTE = 1024;
const MAX_BYTES_OF_ONE = 64 * KIBIBYTE;
const MAX_BYTES_OF_MANY = 1024 * KIBIBYTE;

/** Changes of a unit that are read back with it. */
const LAST_CHANGES = 20;

/** Updates of the units of developments, and what stands there read back. */
export const units = new Hono<CallerEnv>();

units.post(`${UNITS}/update-by-name`, requireScope('units:write'), updateByName);
units.post(`${UNITS}/update-many`, requireScope('units:write'), updateMany);
units.on('ALL', [`${UNITS}/update-by-name`, `${UNITS}/update-many`], () => methodNotAllowed('POST'));

units.get(DEVELOPMENTS, requireScope('units:read'), answerDevelopments);
units.get(UNITS, requireScope('units:read'), answerUnits);
units.get(`${UNITS}/:name`, requireScope('units:read'), answerUnit);
units.on('ALL', [DEVELOPMENTS, UNITS, `${UNITS}/:name`], () => methodNotAllowed('GET, HEAD'));

units.onError((error, c) => {
  if (!(error instanceof Unavailable)) throw error;
  report(c, error);
  const refusal = { code: 'unavailable', detail: 'Try again; to repeat an update is safe.' } as const;
  return problem(refusal, { 'Retry-After': String(RETRY_AFTER) });
});

/** Sets a unit found by its name; answers with the unit as it then stands. */
async function updateByName(c: Context<CallerEnv>): Promise<Response> {
  const body = await readJson(c, MAX_BYTES_OF_ONE);
  if (body instanceof Response) return body;
  const { caller } = c.var;
  const versions = allowedVersions(c.req.header('If-Match'));
  const outcome = await applyUpdate(c.env.DB, caller, c.req.param('development')!, body, versions).catch((error) => {
    tellFeeds(c, [{ refusal: NOT_APPLIED }]);
    throw error;
  });
  tellFeeds(c, [outcome]);
  if ('refusal' in outcome) return problem(outcome.refusal);
  return c.json(unitView(outcome.unit), 200, { ...FRESH_ANSWER, ETag: unitTag(outcome.unit) });
}

/** The same for many units, each with a result of its own. */
async function updateMany(c: Context<CallerEnv>): Promise<Response> {
  if (c.req.header('If-Match') !== undefined) {
    return problem({ code: 'precondition_failed', detail: 'Give If-Match with update-by-name.' });
  }
  const bodies = await readJson(c, MAX_BYTES_OF_MANY);
  if (bodies instanceof Response) return bodies;
  if (!Array.isArray(bodies) || bodies.length > MAX_UPDATES) {
    return problem(invalidFields([{ pointer: '', detail: `must be an array of at most ${MAX_UPDATES} objects` }]));
  }
  const { caller } = c.var;
  const outcomes = await applyUpdates(c.env.DB, caller, c.req.param('development')!, bodies, (error) =>
    report(c, error),
  );
  tellFeeds(c, outcomes);
  return c.json({ results: outcomes.map(resultView) }, 200, FRESH_ANSWER);
}

async function answerDevelopments(c: Context<CallerEnv>): Promise<Response> {
  const page = readPage(c);
  if (page instanceof Response) return page;
  const { accountId } = c.var.caller;
  const rows = await orUnavailable('Developments', listDevelopments(c.env.DB, accountId, page.after, page.limit + 1));
  return answerPage(c, page, 'developments', rows.map(developmentView), (last) => last.development_id);
}

async function answerUnits(c: Context<CallerEnv>): Promise<Response> {
  const page = readPage(c);
  if (page instanceof Response) return page;
  const development = c.req.param('development')!;
  const { accountId } = c.var.caller;
  const rows = await orUnavailable('Units', listUnits(c.env.DB, accountId, development, page.after, page.limit + 1));
  if (rows === null) return problem(noDevelopment(development));
  return answerPage(c, page, 'units', rows.map(unitView), (last) => last.UntName);
}

/** A unit with its last changes, newest first. */
async function answerUnit(c: Context<CallerEnv>): Promise<Response> {
  const { accountId } = c.var.caller;
  const development = c.req.param('development')!;
  const name = c.req.param('name')!.normalize('NFC');
  const found = await orUnavailable('A unit', readUnit(c.env.DB, { accountId, development, name }, LAST_CHANGES));
  if (found.kind !== 'unit') return problem(notFound(found.kind, development, name));
  const headers = { ...CHECKED_ANSWER, ETag: unitTag(found.unit) };
  if (notModified(c.req.raw.headers, headers.ETag, null)) return c.body(null, 304, headers);
  return c.json({ ...unitView(found.unit), changes: found.history.map(changeView) }, 200, headers);
}

const FRESH_ANSWER = { 'Cache-Control': 'no-store' };
const CHECKED_ANSWER = { 'Cache-Control': 'private, no-cache' };

/**
 * The value of a JSON body, or why it is not read.
 *
 * @param most bytes that the body may have
 */
async function readJson(c: Context<CallerEnv>, most: number): Promise<unknown> {
  if (mediaType(c.req.header('Content-Type')) !== 'application/json') {
    return unsupported('The body must be application/json.');
  }
  if (isEncoded(c.req.raw)) return unsupported('The body must have no Content-Encoding.');
  try {
    return parseJson(await readBody(c.req.raw, most));
  } catch (error) {
    if (error instanceof JsonError) return notJson(error.message);
    if (!(error instanceof BodyError)) throw error;
    if (error.why === 'broken off') return notJson('The body broke off.');
    return problem({ code: 'body_too_large', detail: `A body has at most ${most / KIBIBYTE} KiB here.` });
  }
}

function notJson(detail: string): Response {
  return problem({ code: 'not_json', detail });
}

function unsupported(detail: string): Response {
  return problem({ code: 'unsupported_media_type', detail });
}

function readPage(c: Context<CallerEnv>): PageRequest | Response {
  const page = readPageRequest(new URL(c.req.url).searchParams);
  return 'wrong' in page ? problem({ code: 'bad_parameter', detail: page.wrong }) : page;
}

/**
 * A page of a list, with a link to the next where there is one.
 *
 * @param found the entries of the page, and one more where another page follows
 */
function answerPage<Entry>(
  c: Context<CallerEnv>,
  { limit }: PageRequest,
  member: string,
  found: readonly Entry[],
  nameOf: (entry: Entry) => string,
): Response {
  const entries = found.slice(0, limit);
  const link = found.length > limit ? { Link: nextLink(c.req.url, nameOf(entries.at(-1)!)) } : {};
  return c.json({ [member]: entries }, 200, { ...CHECKED_ANSWER, ...link });
}

function resultView(outcome: Outcome) {
  if ('unit' in outcome) {
    return { status: 200, code: outcome.changed ? 'changed' : 'unchanged', unit: unitView(outcome.unit) };
  }
  return { status: statusOf(outcome.refusal), ...outcome.refusal };
}

/**
 * Once a request has changed units, its account's feeds are told before it is answered; so they are where D1 failed, which
 * leaves open what became of the update. One that changes nothing may repeat such an update.
 */
function tellFeeds(c: Context<CallerEnv>, outcomes: readonly Outcome[]): void {
  const { accountId } = c.var.caller;
  if (outcomes.some(mayHaveChanged)) feedsChanged(c.env, c.executionCtx, accountId, Date.now());
  else if (outcomes.some((outcome) => 'unit' in outcome)) forgetHeads(accountId);
}

function mayHaveChanged(outcome: Outcome): boolean {
  return 'unit' in outcome ? outcome.changed : outcome.refusal === NOT_APPLIED;
}

function report(c: Context<CallerEnv>, failure: Unavailable): void {
  log('error', 'units', { requestId: requestId(c), error: failure.message });
}
