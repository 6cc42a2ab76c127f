import fc from 'fast-check';
import { expect, vi } from 'vitest';
import { codePoint } from '../../support/code-point.ts';
import { openExampleAgency } from '../api/agency.ts';
import { obtainTokens, send } from '../api/exchange.ts';
import { type DocumentedOperation, OPERATIONS } from '../api/operations.ts';
import type { Cause } from '../api/requests.ts';

/** Opens the agency to which requests are sent. Call it in `beforeAll`. */
export async function openContract(): Promise<() => void> {
  await openExampleAgency();
  await obtainTokens();
  // The receiver of every webhook, and the origin of every source.
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }));
  return () => vi.unstubAllGlobals();
}

/** Values that no operation expects everywhere. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e300,
    0.5,
    '',
    'x',
    '\0',
    '\ud800',
    '🏡',
    [],
    {},
    [null],
    [[['S']]],
  ),
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const text = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    'x',
    '0',
    '-1',
    '1e2',
    '9'.repeat(20),
    'TRUE',
    '%',
    'a b',
    '"',
    "' OR 1=1",
    'é',
    '🏡',
    '*',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
);

/** A header's value: what `fetch` sends as it is. */
const header = fc.oneof(
  fc.constantFrom(
    '*',
    '"1"',
    'W/"x"',
    'bytes=0-1',
    'Basic !',
    'Bearer x.y.z',
    'Bearer',
    'gzip',
    'text/plain',
    'application/json',
  ),
  fc.stringMatching(/^[!-~]{0,20}$/),
);

/** The body of an example with one field replaced or removed, or anything else. */
function bodyLike(usual: unknown): fc.Arbitrary<unknown> {
  if (typeof usual !== 'object' || usual === null) return anything;
  const names = Object.keys(usual);
  const changed = fc
    .tuple(fc.constantFrom(...names, 'unknown'), anything)
    .map(([name, value]) =>
      Array.isArray(usual) ? [...usual, value] : { ...usual, [name]: value },
    );
  const removed = fc.constantFrom(...names, 'unknown').map((name) => {
    const { [name]: _, ...others } = usual as Record<string, unknown>;
    return others;
  });
  const raw = fc.constantFrom(
    '',
    '{',
    '{"a":1,"a":2}',
    '[1e400]',
    '['.repeat(5_000),
    '\uFEFF{}',
    'a=1&a=2',
  );
  return fc.oneof(changed, removed, anything, raw);
}

const names = (schema: unknown) =>
  Object.keys((schema as { readonly shape?: object } | undefined)?.shape ?? {});

/** A request to an operation of which one part is malformed, or none. */
function requestTo(operation: DocumentedOperation): fc.Arbitrary<Cause> {
  const { request, usual } = operation;
  const variations: fc.Arbitrary<Cause>[] = [fc.constant(usual)];
  const vary = (
    known: readonly string[],
    part: 'path' | 'query' | 'headers',
    value: fc.Arbitrary<string | readonly string[]>,
  ) => {
    if (known.length === 0) return;
    const one = fc.tuple(fc.constantFrom(...known), value);
    variations.push(
      one.map(([name, sent]) => ({ ...usual, [part]: { ...usual[part], [name]: sent } })),
    );
  };
  // An empty segment, or one of dots, is another path.
  vary(
    names(request?.params),
    'path',
    text.filter((value) => !/^\.{0,2}$/.test(value)),
  );
  const repeated = fc.tuple(text, text);
  vary([...names(request?.query), 'unknown'], 'query', fc.oneof(text, repeated));
  vary(
    [...names(request?.headers), 'Authorization', 'Accept', 'Range', 'If-Match'],
    'headers',
    header,
  );
  if (operation.mediaTypes.length > 0) {
    vary(['Content-Type', 'Content-Encoding'], 'headers', header);
    variations.push(bodyLike(usual.body).map((body) => ({ ...usual, body })));
  }
  variations.push(
    fc
      .constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS')
      .map((method) => ({ ...usual, body: undefined, method })),
  );
  return fc.oneof(...variations);
}

/** Other operations of the same path answer other methods. */
function respondersOf({ path }: DocumentedOperation, method: string): DocumentedOperation[] {
  const same = OPERATIONS.filter((other) => other.path === path);
  const other = same.filter((candidate) => candidate.method.toUpperCase() === method);
  return other.length > 0 ? other : same;
}

/**
 * Sends requests to an operation of which one part is malformed: each response has a status, a
 * media type and a body that the document has.
 */
export async function checkContract(
  operation: DocumentedOperation,
  numRuns: number,
  seed: number,
): Promise<void> {
  const property = fc.asyncProperty(requestTo(operation), async (request) => {
    const { status, headers, bytes, text: body } = await send(operation, request);
    const possible = respondersOf(
      operation,
      request.method ?? operation.method.toUpperCase(),
    ).flatMap(({ responses }) => responses.filter((response) => response.status === status));
    expect(possible.length, `an undocumented ${status}`).toBeGreaterThan(0);
    expect(status, 'a failure').toBeLessThan(500);
    if (bytes.length === 0) return;
    const mediaType = headers.get('Content-Type');
    const content = possible
      .map((response) => response.content)
      .find((media) => media?.mediaType === mediaType);
    expect(content, `${status} with ${mediaType}`).toBeDefined();
    content!.schema.parse(/[/+]json$/.test(mediaType!) ? JSON.parse(body) : body);
  });
  await fc.assert(property, { seed, numRuns });
}
