import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { OPERATIONS, openApiDocument } from '../../../src/api/document.ts';
import { schemaOfAllowed } from '../../../src/api/feed.ts';
import { tokenRequest } from '../../../src/api/schemas/tokens.ts';
import { FEED_ERROR_STATUS } from '../../../src/feed/document/error-document.ts';
import { FEED_PARAMETERS, PAGING_PARAMETERS } from '../../../src/feed/formats/resales/parameters.ts';
import { parseTokenRequest, TOKEN_ERRORS } from '../../../src/oauth/token-request.ts';
import { PROBLEMS } from '../../../src/problem.ts';

const document = openApiDocument('1.0.0');

test('the OpenAPI document: no errors or warnings of the linter', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test('every error code of the source is documented by an example', () => {
  const examples = JSON.stringify(OPERATIONS.flatMap(({ responses }) => responses.flatMap(({ examples }) => examples)));
  const codes = [
    ...Object.keys(PROBLEMS).map((code) => `"code":"${code}"`),
    ...Object.keys(FEED_ERROR_STATUS).map((code) => `<code>${code}</code>`),
    ...TOKEN_ERRORS.map((code) => `"error":"${code}"`),
  ];
  expect(codes.filter((code) => !examples.includes(code))).toEqual([]);
});

test('every parameter of the feed is documented, with values that the feed accepts', () => {
  const documented = new Map(
    OPERATIONS.find(({ id }) => id === 'getFeed')!.parameters!.map((parameter) => [parameter.name, parameter]),
  );
  for (const parameter of [...Object.values(FEED_PARAMETERS), ...Object.values(PAGING_PARAMETERS)]) {
    expect(documented.has(parameter.name)).toBe(true);
    const { type } = parameter;
    if (!('parse' in type)) continue;
    const { enum: values = [], minimum, maximum, items } = schemaOfAllowed(type.allowed) as Ranged;
    const allowed = [...values, minimum, maximum, items?.minimum, items?.maximum].filter(
      (value) => value !== undefined,
    );
    expect(allowed).not.toEqual([]);
    expect(allowed.filter((value) => type.parse(String(value)) === undefined)).toEqual([]);
    expect(type.parse(String((maximum ?? items?.maximum ?? 1e8) + 1e9))).toBeUndefined();
  }
});

interface Ranged {
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Ranged;
}

test.each([
  {},
  { grant_type: 'client_credentials' },
  { grant_type: 'password' },
  { grant_type: 'client_credentials', scope: 'units:read' },
  { grant_type: 'client_credentials', other: '1' },
])('the schema of a token request accepts %j where the service does', async (parameters) => {
  const request = new Request('https://feeds.example/oauth/token', {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('client:secret')}` },
    body: new URLSearchParams(parameters as Record<string, string>),
  });
  const parsed = await parseTokenRequest(request as never);
  expect(tokenRequest.safeParse(parameters).success).toBe(!('error' in parsed));
});
