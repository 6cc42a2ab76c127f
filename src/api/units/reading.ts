import type { Context } from 'hono';
import { findUnitRevisions } from '../../db/readers/deliveries.ts';
import { listDevelopments } from '../../db/units/developments.ts';
import { listUnits, readUnit, type UnitAddress } from '../../db/units/units.ts';
import { Api } from '../../http/api.ts';
import { ok } from '../../http/operation.ts';
import { type CallerEnv, requireScope } from '../../oauth/bearer.ts';
import { existing, notFound, ProblemError } from '../../problem.ts';
import { type ReaderHolding, readerHoldings } from '../deliveries/holding.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import {
  developments,
  developmentWithDetails,
  ifUnchanged,
  inDevelopment,
  ofUnit,
  unitNotFound,
  units as unitsSchema,
  unitWithChanges,
} from './schemas.ts';
import { versionMismatch } from './update.ts';
import { allowedVersions, changeView, developmentView, readDevelopment, unitTag, unitView } from './view.ts';

const DEVELOPMENTS = '/v1/developments';
const UNITS = `${DEVELOPMENTS}/{development_id}/units` as const;

const READ = requireScope('units:read');

/** The number of changes in the response for a unit. */
const LAST_CHANGES = 20;

/** Reads developments and their units. */
export const unitReads = new Api('Units', EXAMPLES);

unitReads.list({
  path: DEVELOPMENTS,
  operationId: 'listDevelopments',
  summary: 'List developments',
  description: 'Ordered by identifier. HEAD works as well.',
  middleware: READ,
  responses: { 200: ok(developments, 'The account’s developments.', 'Link') },
  handle: async (c, _, after, limit) => {
    const found = await listDevelopments(c.env.DB, c.var.caller.accountId, after, limit);
    return found.map((one) => [one.id, developmentView(one)]);
  },
});

unitReads.read({
  path: `${DEVELOPMENTS}/{development_id}`,
  operationId: 'getDevelopment',
  summary: 'A development',
  middleware: READ,
  request: { params: inDevelopment },
  responses: { 200: ok(developmentWithDetails, 'The development.') },
  handle: async (c, { params }) => ({ body: await readDevelopment(c, params.development_id) }),
});

unitReads.list({
  path: UNITS,
  operationId: 'listUnits',
  summary: 'List the units of a development',
  description: 'Ordered by name. HEAD works as well.',
  middleware: READ,
  request: { params: inDevelopment },
  responses: { 200: ok(unitsSchema, 'The development’s units.', 'Link') },
  handle: async (c, { params }, after, limit) => {
    const { development_id: id } = params;
    const found = await listUnits(c.env.DB, c.var.caller.accountId, id, after, limit);
    return existing(found, notFound('development', id)).map((one) => [one.name, unitView(one)]);
  },
});

unitReads.read({
  path: `${UNITS}/{name}`,
  operationId: 'getUnit',
  summary: 'A unit and its last changes',
  description:
    `With its last ${LAST_CHANGES} changes. HEAD works as well. A unit cannot be read if its name is empty, \`.\`, \`..\`, ` +
    '`update-by-name` or `update-many`; it can be listed and updated.',
  middleware: READ,
  request: { params: ofUnit, headers: ifUnchanged.pick({ 'If-Match': true }) },
  responses: { 200: ok(unitWithChanges, 'The unit.', 'ETag') },
  handle: async (c, { params: { development_id: development, name: named }, headers }) => {
    const { accountId, scopes } = c.var.caller;
    const address = { accountId, development, name: named.normalize('NFC') };
    const found = await readUnit(c.env.DB, address, LAST_CHANGES);
    if (found.kind !== 'unit') throw new ProblemError(unitNotFound(found.kind, development, address.name));
    const holdings = scopes.includes('readers:read') ? await holdingsOf(c, address) : null;
    const versions = allowedVersions(headers['If-Match']);
    if (versions !== undefined && !versions.includes(found.unit.version)) {
      throw new ProblemError(versionMismatch(found.unit));
    }
    const view = { ...unitView(found.unit), changes: found.history.map(changeView) };
    return {
      body: holdings === null ? view : { ...view, deliveries: holdings },
      headers: { ETag: unitTag(found.unit, holdings) },
    };
  },
});

/** Which readers have the current state of the unit; empty if no property is this unit, as then no feed shows it. */
async function holdingsOf(c: Context<CallerEnv>, address: UnitAddress): Promise<readonly ReaderHolding[]> {
  const changed = await findUnitRevisions(c.env.DB, address);
  return changed === null ? [] : readerHoldings(c.env.DB, address.accountId, changed);
}
