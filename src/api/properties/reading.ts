import { listStoredProperties } from '../../db/portfolio/listed.ts';
import { readStored } from '../../db/portfolio/read.ts';
import { Api } from '../../http/api.ts';
import { empty, ok } from '../../http/operation.ts';
import { pageOf, REVALIDATED } from '../../http/page.ts';
import { notModified } from '../../lib/http/conditional.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { keyOf, type PropertyDocument } from '../../portfolio/documents.ts';
import { ProblemError } from '../../problem.ts';
import { byId, documented, listQuery, properties, property as propertySchema, readConditions } from './schemas.ts';
import { propertyTag } from './write.ts';

const READ = requireScope('properties:read');

/** Reads the properties of the account that the token belongs to. */
export const propertyReads = new Api('Properties');

propertyReads.operation(
  {
    method: 'get',
    path: '/v1/properties',
    operationId: 'listProperties',
    summary: 'List properties',
    description: 'All of them, withdrawn ones included, in the order in which they were created.',
    middleware: READ,
    request: { query: listQuery },
    responses: { 200: ok(properties, 'The account’s properties.', 'Link') },
    ...documented('listProperties'),
  },
  async (c) => {
    const { status, changed_after, ...page } = c.req.valid('query');
    const after = Number(page.cursor ?? 0);
    if (!Number.isSafeInteger(after)) {
      throw new ProblemError({ code: 'bad_parameter', detail: 'cursor must be taken from a Link header.' });
    }
    const changedAfter = changed_after === undefined ? undefined : Date.parse(changed_after) / 1000;
    const found = await listStoredProperties(
      c.env.DB,
      c.var.caller.accountId,
      { status, changedAfter },
      after,
      page.limit + 1,
    );
    const { entries, headers } = pageOf(c.req.url, page, found, ({ place }) => String(place));
    return c.json({ properties: entries.map(({ property }) => property) }, 200, headers);
  },
);

propertyReads.operation(
  {
    method: 'get',
    path: '/v1/properties/{id}',
    operationId: 'getProperty',
    summary: 'A property',
    middleware: READ,
    request: { params: byId, headers: readConditions },
    responses: {
      200: ok(propertySchema, 'The property.', 'ETag'),
      304: empty('The property still has the `ETag` of `If-None-Match`.', 'ETag', 'Cache-Control'),
    },
    ...documented('getProperty'),
  },
  async (c) => {
    const { id } = c.req.valid('param');
    const { accountId } = c.var.caller;
    const stored = await readStored(c.env.DB, accountId, [{ kind: 'property', id } as PropertyDocument]);
    const property = stored.get(keyOf('property', id)) as PropertyDocument | undefined;
    if (property === undefined) {
      throw new ProblemError({
        code: 'property_not_found',
        detail: `The account has no property ${JSON.stringify(id)}.`,
      });
    }
    const headers = { ...REVALIDATED, ETag: propertyTag(property) };
    if (notModified(c.req.raw.headers, headers.ETag, null)) return c.body(null, 304, headers);
    return c.json(property, 200, headers);
  },
);
