import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { IDEALISTA } from '../../src/feed/formats/idealista/format.ts';
import {
  PAGING_PARAMETERS,
  RESALES_PARAMETERS,
} from '../../src/feed/formats/resales/parameters.ts';
import { FEED_ERROR_STATUS } from '../../src/feed/response/errors.ts';
import { TOKEN_ERRORS } from '../../src/oauth/schemas.ts';
import { OPERATIONS, openApiDocument } from '../../src/openapi/document.ts';
import { PROBLEMS } from '../../src/problem.ts';

test('the OpenAPI document: no errors or warnings of the linter', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({
    source: JSON.stringify(openApiDocument('1.0.0', 'What it describes.')),
    config,
  });
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([]);
});

test('every description says things once: HEAD, and what a header does in this operation', () => {
  const { paths } = openApiDocument('1.0.0', 'What it describes.');
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const repeated = operations.filter(({ description = '' }) =>
    /(HEAD works as well\.).*\1/.test(description),
  );
  expect(repeated.map(({ operationId }) => operationId)).toEqual([]);
  const { parameters } = paths['/v1/developments/{development_id}/units/update-many']!.post!;
  expect(parameters!.find(({ name }) => name === 'If-Match')!.description).toMatch(
    /^Not supported/,
  );
});

test('no path parameter is a word that TypeScript, Java or Python reserves: generators make an argument of each', () => {
  const { paths } = openApiDocument('1.0.0', 'What it describes.');
  const names = Object.keys(paths).flatMap((path) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
  );
  expect(names).toContain('import_id');
  expect(
    names.filter((name) => /^(class|default|delete|from|import|new|package|return)$/.test(name!)),
  ).toEqual([]);
});

test('the fields of a property whose unit or code nobody would guess are described', () => {
  const { properties } = openApiDocument('1.0.0', 'What it describes.').components.schemas
    .Property as Described;
  const named = [
    'bath',
    'community_fees',
    'garbage_tax',
    'ibi_fees',
    'offers',
    'texts',
    'features',
    'updated_at',
  ];
  expect(named.filter((name) => properties[name]!.description === undefined)).toEqual([]);
});

interface Described {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
}

test('every error code of the source is documented by an example', () => {
  const examples = JSON.stringify(
    OPERATIONS.flatMap(({ responses }) => responses.map(({ examples }) => examples)),
  );
  const codes = [
    ...Object.keys(PROBLEMS).map((code) => `"code":"${code}"`),
    ...Object.keys(FEED_ERROR_STATUS).map((code) => `<code>${code}</code>`),
    ...Object.keys(TOKEN_ERRORS).map((code) => `"error":"${code}"`),
  ];
  expect(codes.filter((code) => !examples.includes(code))).toEqual([]);
});

test('every parameter of the feed is documented, with values that the feed accepts', () => {
  const { parameters } = openApiDocument('1.0.0', 'What it describes.').paths[
    '/CreateXMLFeedV3.asp'
  ]!.get!;
  for (const { name, type } of [
    ...RESALES_PARAMETERS.feedParameters,
    ...Object.values(PAGING_PARAMETERS),
  ]) {
    const documented = parameters!.find((parameter) => parameter.name === name);
    expect(documented, name).toBeDefined();
    if (!('parse' in type)) continue;
    const { enum: values = [], minimum, maximum, items } = documented!.schema as Ranged;
    const allowed = [...values, minimum, maximum, items?.minimum, items?.maximum].filter(
      (value) => value !== undefined,
    );
    expect(allowed).not.toEqual([]);
    expect(allowed.filter((value) => type.parse(String(value)) === undefined)).toEqual([]);
    expect(type.parse(String((maximum ?? items?.maximum ?? 1e8) + 1e9))).toBeUndefined();
  }
});

test('every parameter of the feed whose values are texts is documented with what they must be', () => {
  const { parameters } = openApiDocument('1.0.0', 'What it describes.').paths['/idealista.json']!
    .get!;
  const texts = IDEALISTA.feedParameters.filter(({ type }) => type.allowed.kind === 'text');
  const described = texts.map(
    (one) => parameters!.find(({ name }) => name === one.name)!.description,
  );
  expect(described).toEqual(texts.map(({ type }) => expect.stringContaining(type.allowed.words)));
});

interface Ranged {
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Ranged;
}
