import type { Context } from 'hono';
import { Hono } from 'hono';
import { findUnitRevisions } from '../db/deliveries.ts';
import { listDevelopments, listUnits, readUnit, type UnitAddress } from '../db/units.ts';
import { type ReaderHolding, readerHoldings } from '../deliveries/holding.ts';
import { invalidateFeeds } from '../feed/invalidation/invalidate.ts';
import { invalidateManifests } from '../feed/manifest/manifest-cache.ts';
import { readJson } from '../http/json-body.ts';
import { pageResponse, REVALIDATED, readPage } from '../http/page-response.ts';
import { notModified } from '../lib/conditional.ts';
import { log } from '../lib/log.ts';
import { DependencyUnavailable, orUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { methodNotAllowed, type Problem, problemResponse, statusOf, tooManyRequests } from '../problem.ts';
import { LIMIT_PERIOD_SECONDS, mayUpdate } from '../rate-limits.ts';
import { recordStep, requestId } from '../request-log.ts';
import { limitHistory } from './history.ts';
import {
  applyUpdate,
  developmentNotFound,
  invalidFields,
  notFound,
  type UpdateResult,
  versionMismatch,
} from './update.ts';
import { applyUpdates, BATCH_SIZE, MAX_UPDATES } from './update-many.ts';
import { allowedVersions, changeView, developmentView, unitTag, unitView } from './view.ts';

const DEVELOPMENTS = '/v1/developments';
const UNITS = `${DEVELOPMENTS}/:development/units`;

const KIBIBYTE = 1024;
const MAX_BYTES_SINGLE = 64 * KIBIBYTE;
const MAX_BYTES_MANY = 1024 * KIBIBYTE;

/** The number of changes in the response for a unit. */
const LAST_CHANGES = 20;

/** Updates the units of developments, and reads them. */
export const units = new Hono<CallerEnv>();

units.post(`${UNITS}/update-by-name`, requireScope('units:write'), updateByName);
units.post(`${UNITS}/update-many`, requireScope('units:write'), updateMany);
units.on('ALL', [`${UNITS}/update-by-name`, `${UNITS}/update-many`], () => methodNotAllowed('POST'));

units.get(DEVELOPMENTS, requireScope('units:read'), handleDevelopments);
units.get(UNITS, requireScope('units:read'), handleUnits);
units.get(`${UNITS}/:name`, requireScope('units:read'), handleUnit);
units.on('ALL', [DEVELOPMENTS, UNITS, `${UNITS}/:name`], () => methodNotAllowed('GET, HEAD'));

units.onError((error, c) => {
  if (!(error instanceof DependencyUnavailable)) throw error;
  logFailure(c, error);
  const problem: Problem = { code: 'unavailable', detail: 'Retry later; updates are idempotent.' };
  return problemResponse(problem, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
});

/** Updates one unit and responds with its current state. */
async function updateByName(c: Context<CallerEnv>): Promise<Response> {
  const body = await readJson(c, MAX_BYTES_SINGLE);
  if (body instanceof Response) return body;
  const { caller } = c.var;
  if (!(await mayUpdate(c.env, caller, 1))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  const versions = allowedVersions(c.req.header('If-Match'));
  const startedAt = Date.now();
  const result = await applyUpdate(c.env.DB, caller, c.req.param('development')!, body, versions).catch((error) => {
    // Even if D1 fails: the write may have been committed.
    invalidateOwnFeeds(c);
    throw error;
  });
  recordStep(c, 'database', startedAt);
  invalidateAfter(c, [result]);
  limitHistory(c.env, c.executionCtx, addressOf(c), [result]);
  if ('problem' in result) return problemResponse(result.problem);
  return c.json(unitView(result.unit), 200, { ...NOT_CACHED, ETag: unitTag(result.unit) });
}

/** Updates several units and responds with a result for each. */
async function updateMany(c: Context<CallerEnv>): Promise<Response> {
  if (c.req.header('If-Match') !== undefined) {
    return problemResponse({ code: 'precondition_failed', detail: 'Only update-by-name supports If-Match.' });
  }
  const bodies = await readJson(c, MAX_BYTES_MANY);
  if (bodies instanceof Response) return bodies;
  if (!Array.isArray(bodies) || bodies.length > MAX_UPDATES) {
    return problemResponse(
      invalidFields([{ pointer: '', detail: `must be an array of at most ${MAX_UPDATES} objects` }]),
    );
  }
  const { caller } = c.var;
  const transactions = Math.ceil(bodies.length / BATCH_SIZE);
  if (!(await mayUpdate(c.env, caller, transactions))) return tooManyRequests(LIMIT_PERIOD_SECONDS);
  const startedAt = Date.now();
  const results = await applyUpdates(c.env.DB, caller, c.req.param('development')!, bodies, (failure) => {
    logFailure(c, failure);
    // Even if D1 fails: the write may have been committed.
    invalidateOwnFeeds(c);
  });
  recordStep(c, 'database', startedAt);
  invalidateAfter(c, results);
  limitHistory(c.env, c.executionCtx, addressOf(c), results);
  return c.json({ results: results.map(resultView) }, 200, NOT_CACHED);
}

async function handleDevelopments(c: Context<CallerEnv>): Promise<Response> {
  const page = readPage(c);
  if (page instanceof Response) return page;
  const { accountId } = c.var.caller;
  const rows = await orUnavailable('developments', listDevelopments(c.env.DB, accountId, page.after, page.limit + 1));
  return pageResponse(c, page, 'developments', rows.map(developmentView), (last) => last.development_id);
}

async function handleUnits(c: Context<CallerEnv>): Promise<Response> {
  const page = readPage(c);
  if (page instanceof Response) return page;
  const development = c.req.param('development')!;
  const { accountId } = c.var.caller;
  const rows = await orUnavailable('units', listUnits(c.env.DB, accountId, development, page.after, page.limit + 1));
  if (rows === null) return problemResponse(developmentNotFound(development));
  return pageResponse(c, page, 'units', rows.map(unitView), (last) => last.UntName);
}

/** Responds with a unit and its last changes, newest first. */
async function handleUnit(c: Context<CallerEnv>): Promise<Response> {
  const { accountId, scopes } = c.var.caller;
  const development = c.req.param('development')!;
  const name = c.req.param('name')!.normalize('NFC');
  const found = await orUnavailable('unit', readUnit(c.env.DB, { accountId, development, name }, LAST_CHANGES));
  if (found.kind !== 'unit') return problemResponse(notFound(found.kind, development, name));
  const address = { accountId, development, name };
  const holdings = scopes.includes('readers:read') ? await holdingsOf(c, address) : null;
  const headers = { ...REVALIDATED, ETag: unitTag(found.unit, holdings) };
  const versions = allowedVersions(c.req.header('If-Match'));
  if (versions !== undefined && !versions.includes(found.unit.version)) {
    return problemResponse(versionMismatch(found.unit));
  }
  if (notModified(c.req.raw.headers, headers.ETag, null)) return c.body(null, 304, headers);
  const view = { ...unitView(found.unit), changes: found.history.map(changeView) };
  return c.json(holdings === null ? view : { ...view, deliveries: holdings }, 200, headers);
}

/** Which readers have the current state of the unit; empty if no property is this unit, as then no feed shows it. */
async function holdingsOf(c: Context<CallerEnv>, address: UnitAddress): Promise<readonly ReaderHolding[]> {
  const changed = await orUnavailable('unit', findUnitRevisions(c.env.DB, address));
  return changed === null ? [] : orUnavailable('deliveries', readerHoldings(c.env.DB, address.accountId, changed));
}

const NOT_CACHED = { 'Cache-Control': 'no-store' };

function resultView(result: UpdateResult) {
  if ('problem' in result) return { status: statusOf(result.problem), ...result.problem };
  return { status: 200, code: result.changed ? 'changed' : 'unchanged', unit: unitView(result.unit) };
}

/**
 * Invalidates the account's feeds if an update changed a unit. If none did, another isolate may have committed the same
 * update before, so that only this isolate's manifests can be stale.
 */
function invalidateAfter(c: Context<CallerEnv>, results: readonly UpdateResult[]): void {
  const applied = results.filter((result) => 'unit' in result);
  if (applied.some(({ changed }) => changed)) {
    invalidateOwnFeeds(
      c,
      applied.some(({ hasWebhooks }) => hasWebhooks),
    );
  } else if (applied.length > 0) invalidateManifests(c.var.caller.accountId);
}

function invalidateOwnFeeds(c: Context<CallerEnv>, hasWebhooks = true): void {
  invalidateFeeds(c.env, c.executionCtx, c.var.caller.accountId, Date.now(), hasWebhooks);
}

function addressOf(c: Context<CallerEnv>) {
  return { accountId: c.var.caller.accountId, development: c.req.param('development')! };
}

function logFailure(c: Context<CallerEnv>, { message }: DependencyUnavailable): void {
  log('error', 'dependency.unavailable', { requestId: requestId(c), interface: 'units', error: message });
}
