import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { Router } from '../../src/api/router.ts';
import { APIS } from '../../src/apis.ts';
import { IDEALISTA } from '../../src/feed/formats/idealista/format.ts';
import {
  PAGING_PARAMETERS,
  RESALES_PARAMETERS,
} from '../../src/feed/formats/resales/parameters.ts';
import { FEED_ERROR_STATUS } from '../../src/feed/response/errors.ts';
import { inEnglish } from '../../src/messages/messages.ts';
import { TOKEN_ERRORS } from '../../src/oauth/schemas.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { problemTable } from '../../src/openapi/pages.ts';
import { referredTo } from '../../src/openapi/shown.ts';
import { PROBLEMS } from '../../src/problem.ts';

/** What these tests read of the document. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, Described>> };
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema: object;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<
  Record<
    string,
    {
      readonly schema: object;
      readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    }
  >
>;

const document = openApiDocument('1.0.0', 'What it describes.') as unknown as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
);

const SRC = join(import.meta.dirname, '../../src');
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));

test('every router is listed in src/apis.ts', async () => {
  const files = sources.filter(({ text }) => text.includes('= new Router()'));
  const unlisted = await Promise.all(
    files.map(async ({ file }) => {
      const exported = Object.entries(await import(join(SRC, file)));
      return exported
        .filter(([, value]) => value instanceof Router && !APIS.includes(value))
        .map(([name]) => `Add ${name} of src/${file} to src/apis.ts: it is not served.`);
    }),
  );
  expect(unlisted.flat()).toEqual([]);
});

test('every operation that a file describes is served', () => {
  const served = new Set(operations.map(({ operationId }) => operationId));
  const unserved = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/operationId: '(\w+)'/g)]
      .filter(([, id]) => !served.has(id!))
      .map(([, id]) => `Serve ${id} of src/${file} by router.openapi, and import that file.`),
  );
  expect(unserved).toEqual([]);
});

// Among its rules: every example fits its schema.
test('the OpenAPI document: no errors or warnings of the linter', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(
    problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
  ).toEqual([]);
});

test('every operation has a section, says who may use it, and documents its usual errors', () => {
  const errorsOf = ({ responses }: Operation) =>
    Object.values(responses).flatMap(({ content = {} }) =>
      Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples)),
    );
  const incomplete = operations.flatMap((operation) => {
    const { operationId, method, path, tags = [], security, requestBody } = operation;
    const isAlternative = security?.some((schemes) => Object.keys(schemes).length === 0);
    const schemes = security?.flatMap((one) => Object.keys(one)) ?? [];
    const expected = [
      'methodNotAllowed',
      'internal',
      ...(schemes.includes('accessToken') ? ['missingToken', 'invalidToken'] : []),
      ...(schemes.includes('accessToken') && !isAlternative ? ['insufficientScope'] : []),
      ...(schemes.includes('accessToken') && method !== 'get' ? ['tooManyRequests'] : []),
      ...(requestBody && path !== '/oauth/token' ? ['unsupportedMediaType'] : []),
      ...(requestBody?.content['application/json'] && path !== '/oauth/token'
        ? ['notJson', 'bodyTooLarge', 'invalidFields']
        : []),
    ];
    const documented = errorsOf(operation);
    const namesOne = path.includes('{') && ['get', 'delete'].includes(method);
    const missing = expected.filter((name) => !documented.includes(name));
    const isListed = document.tags.some(({ name }) => tags.includes(name));
    return [
      ...(isListed ? [] : [`${operationId}: add tags, which src/openapi/document.ts describes`]),
      ...(security === undefined ? [`${operationId}: add security, or security: []`] : []),
      ...(namesOne && !operation.responses[404]
        ? [`${operationId}: add to errors(…) what is missing, such as missing('reader')`]
        : []),
      ...missing.map((name) => `${operationId}: add to errors(…) what documents ${name}`),
    ];
  });
  expect(incomplete).toEqual([]);
});

test('no path parameter is a word that TypeScript, Java or Python reserves: generators make an argument of each', () => {
  const names = Object.keys(document.paths).flatMap((path) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
  );
  expect(names).toContain('import_id');
  expect(
    names.filter((name) => /^(class|default|delete|from|import|new|package|return)$/.test(name!)),
  ).toEqual([]);
});

test('the fields of a property whose unit or code nobody would guess are described', () => {
  const { properties } = document.components.schemas.Property!;
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
  const examples = JSON.stringify(operations.map(({ responses }) => responses));
  const codes = [
    ...Object.keys(PROBLEMS).map((code) => `"code":"${code}"`),
    ...Object.keys(FEED_ERROR_STATUS).map((code) => `<code>${code}</code>`),
    ...Object.keys(TOKEN_ERRORS).map((code) => `"error":"${code}"`),
  ];
  expect(codes.filter((code) => !examples.includes(code))).toEqual([]);
});

test('the table of problems: has each code with its status, and what to do', () => {
  const rows = problemTable()
    .split('\n')
    .flatMap((line) => {
      const [, status, code = '', , remedy = ''] = line.split('|').map((cell) => cell.trim());
      return /^\d/.test(status!) ? [[code.split('`')[1], Number(status), remedy.length > 15]] : [];
    });
  const expected = Object.entries(PROBLEMS).map(([code, [status]]) => [code, status, true]);
  expect(rows).toEqual(expected);
});

test('a merge patch: may not remove what a property needs, and any other member', () => {
  const { properties } = document.components.schemas.PropertyPatch!;
  const mayRemove = (name: string) => JSON.stringify(properties[name]).includes('"null"');
  expect(['ref', 'type', 'status', 'town', 'province'].filter(mayRemove)).toEqual([]);
  expect(['floor', 'beds', 'features'].filter((name) => !mayRemove(name))).toEqual([]);
});

test('what may be sent: has its defaults in words only', () => {
  const bodies = operations.flatMap(({ requestBody }) => requestBody ?? []);
  const sent = referredTo(bodies, document.components.schemas);
  const texts = [...sent].map((name) => JSON.stringify(document.components.schemas[name]));
  expect(sent.size).toBeGreaterThan(10);
  expect([...texts, JSON.stringify(bodies)].filter((one) => one.includes('"default":'))).toEqual(
    [],
  );
});

test('every parameter of the feed is documented, with values that the feed accepts', () => {
  const { parameters } = document.paths['/CreateXMLFeedV3.asp']!.get!;
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
  const { parameters } = document.paths['/idealista.json']!.get!;
  const texts = IDEALISTA.feedParameters.filter(({ type }) => type.allowed.kind === 'text');
  const described = texts.map(
    (one) => parameters!.find(({ name }) => name === one.name)!.description,
  );
  expect(described).toEqual(
    texts.map(({ type }) => expect.stringContaining(inEnglish(type.allowed.words))),
  );
});

interface Ranged {
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Ranged;
}
