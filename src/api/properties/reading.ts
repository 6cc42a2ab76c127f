import { listStoredProperties } from '../../db/portfolio/listed.ts';
import { readStored } from '../../db/portfolio/read.ts';
import { Api } from '../../http/api.ts';
import { ok } from '../../http/operation.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { keyOf, type PropertyDocument } from '../../portfolio/documents.ts';
import { existing, notFound, ProblemError } from '../../problem.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { byId, listQuery, properties, property as propertySchema } from './schemas.ts';
import { propertyTag } from './write.ts';

const READ = requireScope('properties:read');

/** Reads the properties of the account that the token belongs to. */
export const propertyReads = new Api('Properties', EXAMPLES);

propertyReads.list({
  path: '/v1/properties',
  operationId: 'listProperties',
  summary: 'List properties',
  description: 'All of them, withdrawn ones included, in the order in which they were created.',
  middleware: READ,
  request: { query: listQuery },
  responses: { 200: ok(properties, 'The account’s properties.', 'Link') },
  handle: async (c, { query: { status, changed_after } }, cursor, limit) => {
    const after = Number(cursor ?? 0);
    if (!Number.isSafeInteger(after)) {
      throw new ProblemError({ code: 'bad_parameter', detail: 'cursor must be taken from a Link header.' });
    }
    const changedAfter = changed_after === undefined ? undefined : Date.parse(changed_after) / 1000;
    const found = await listStoredProperties(c.env.DB, c.var.caller.accountId, { status, changedAfter }, after, limit);
    return found.map(({ place, property }) => [String(place), property]);
  },
});

propertyReads.read({
  path: '/v1/properties/{id}',
  operationId: 'getProperty',
  summary: 'A property',
  middleware: READ,
  request: { params: byId },
  responses: { 200: ok(propertySchema, 'The property.', 'ETag') },
  handle: async (c, { params: { id } }) => {
    const stored = await readStored(c.env.DB, c.var.caller.accountId, [{ kind: 'property', id } as PropertyDocument]);
    const body = existing(stored.get(keyOf('property', id)), notFound('property', id)) as PropertyDocument;
    return { body, headers: { ETag: propertyTag(body) } };
  },
});
