import * as z from 'zod';
import { REVALIDATED } from '../../api/headers.ts';
import { isUnchanged } from '../../api/requests.ts';
import { clientReads, errors, ok, unchanged } from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { namedObject, readCondition } from '../../api/schemas.ts';
import { LANGUAGES, type LanguageElement } from '../../lib/languages.ts';
import { withScope } from '../../oauth/bearer.ts';
import { serves } from '../../request-log.ts';
import { readVocabulary } from '../../vocabulary/stored.ts';
import { categorySchema, featureSchema, typeSchema } from '../documents.ts';

const ELEMENTS = LANGUAGES.map(({ element }) => element);

/** The parameter of lists of properties that asks for labels. */
export const labelsParameter = z
  .enum(ELEMENTS as [LanguageElement])
  .optional()
  .describe(
    'Adds `labels`: what the types and features of the response are called in this language.',
  );

/** What types and features are called in the language that a request has asked for. */
export const labels = namedObject('Labels', {
  types: z
    .record(z.string(), z.object({ type: z.string(), subtype: z.string().nullable() }))
    .describe('By the code of the type.'),
  features: z
    .record(z.string(), z.object({ category: z.string(), feature: z.string() }))
    .describe('By the code of the feature.'),
}).describe('A code without labels is shown as it is.');

const vocabularySchema = namedObject('Vocabulary', {
  types: z.array(typeSchema.omit({ kind: true })),
  categories: z.array(categorySchema.omit({ kind: true })),
  features: z.array(featureSchema.omit({ kind: true })),
});

/** The types and features of an account, in every language. */
export const vocabulary = new Router();

vocabulary.use('/v1/vocabulary/*', serves('properties'));

const getVocabulary = createRoute({
  method: 'get',
  path: '/v1/vocabulary',
  operationId: 'getVocabulary',
  tags: ['Properties'],
  summary: 'Get the types and features',
  description:
    'All types, categories of features and features that the account has, with their labels in ' +
    'every language. `type` and `features` of a property are their codes. To get the labels of a ' +
    'list only, use its parameter `labels`.',
  ...withScope('properties:read'),
  request: { headers: readCondition },
  responses: {
    200: ok(vocabularySchema, 'The vocabulary.', { headers: ['ETag'] }),
    304: unchanged,
    ...errors(clientReads('properties:read')),
  },
});

vocabulary.openapi(getVocabulary, async (c) => {
  const read = await readVocabulary(c.env.DB, c.var.caller.accountId);
  const headers = { ...REVALIDATED, ETag: `"${read.revision}"` };
  if (isUnchanged(c, headers.ETag)) return c.body(null, 304, headers);
  const view = {
    types: read.types.map(({ kind: _, ...type }) => type),
    categories: read.categories.map(({ kind: _, ...category }) => category),
    features: read.features.map(({ kind: _, ...feature }) => feature),
  };
  return c.json(view, 200, headers);
});
