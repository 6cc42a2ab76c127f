import { env } from 'cloudflare:workers';
import fc, { type Arbitrary } from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { DEVELOPMENT, obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { codePoint } from '../../support/code-point.ts';
import { ask } from '../../support/worker/ask.ts';
import { amount, text } from './arbitraries.ts';
import { tryCases } from './budget.ts';

const UNITS = ['A-101', 'Ático 1', '', '__proto__', '\u0000', '%2F', 'a/b'];

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

const anything = fc.oneof(fc.jsonValue(), fc.jsonValue({ stringUnit: codePoint }));

const name = fc.oneof(
  fc.constantFrom(...UNITS, 'A\u0301tico 1', 'a-101', 'x'.repeat(201), '\ud800'),
  text(0, 210),
);
const directionCode = fc.oneof(
  fc.constantFrom('N', 'SE', '', 'x'.repeat(16), 'x'.repeat(17), '\udc00N'),
  text(0, 17),
);
const directions = fc.array(fc.oneof(directionCode, fc.array(directionCode, { maxLength: 4 })), {
  maxLength: 70,
});

/** Usually a valid value, occasionally any other. */
function mostly<T>(right: Arbitrary<T>): Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: anything });
}

const nearUpdate = fc.record(
  {
    UntName: mostly(name),
    UntStatus: mostly(fc.constantFrom(1, 2, 4, 8)),
    UntPrice: mostly(amount),
    UntDirections: mostly(directions),
    more: anything,
  },
  { requiredKeys: ['UntName'] },
);
const update = fc.record({
  UntName: fc.constantFrom(...UNITS),
  UntStatus: fc.constantFrom(1, 2, 4, 8),
  UntPrice: amount,
  UntDirections: fc.array(fc.constantFrom('N', ['S', 'é']), { maxLength: 3 }),
});
const body = fc.oneof(
  { weight: 3, arbitrary: update },
  { weight: 6, arbitrary: nearUpdate },
  { weight: 1, arbitrary: anything },
);

/** The update that a body describes according to the documentation; `null` if it is invalid. */
function updateIn(
  given: unknown,
): { name: string; status: number; price: number; directions: unknown } | null {
  const { UntName, UntStatus, UntPrice, UntDirections } = Object(given);
  const right =
    !Array.isArray(given) &&
    isText(UntName?.normalize?.('NFC'), 200) &&
    [1, 2, 4, 8].includes(UntStatus) &&
    typeof UntPrice === 'number' &&
    Array.isArray(UntDirections) &&
    UntDirections.length <= 64 &&
    UntDirections.flat().length <= 64 &&
    UntDirections.every((entry) => isCode(entry) || (Array.isArray(entry) && entry.every(isCode)));
  return right
    ? {
        name: UntName.normalize('NFC'),
        status: UntStatus,
        price: UntPrice + 0,
        directions: UntDirections,
      }
    : null;
}

function isCode(value: unknown): boolean {
  return isText(value, 16) && !/\p{Cc}/u.test(value as string);
}

function isText(given: unknown, most: number): boolean {
  return typeof given === 'string' && given.isWellFormed() && [...given].length <= most;
}

test(`POST of any JSON body: the unit is updated, or the documented error (seed ${env.FUZZ.seed})`, {
  timeout: 0,
}, async () => {
  const agency = await openAgency('UPD', UNITS);
  const headers = withToken(await obtainToken(agency));
  const responses = new Map<number, number>();
  const counts = { cases: 0 };
  const updates = fc.asyncProperty(body, async (given) => {
    const response = await ask(`/v1/developments/${DEVELOPMENT}/units/update-by-name`, {
      method: 'POST',
      headers,
      body: JSON.stringify(given),
    });
    const wanted = updateIn(given);
    const there = wanted !== null && UNITS.includes(wanted.name);
    const status = wanted === null ? 422 : there ? 200 : 404;
    const parsed = JSON.parse(response.text);
    expect(response.status, JSON.stringify(parsed)).toBe(status);
    if (status === 200) {
      expect(parsed).toMatchObject({
        UntName: wanted!.name,
        UntStatus: wanted!.status,
        UntPrice: wanted!.price,
        UntDirections: wanted!.directions,
      });
    } else {
      expect(response.headers.get('Content-Type')).toBe('application/problem+json');
      expect(parsed).toMatchObject({
        status,
        code: status === 422 ? 'invalid_fields' : 'unit_not_found',
      });
      if (status === 422) expect((parsed.errors as unknown[]).length).toBeGreaterThan(0);
    }
    responses.set(status, (responses.get(status) ?? 0) + 1);
    counts.cases++;
  });
  await tryCases(updates, counts, 200);
  for (const status of [200, 404, 422]) {
    expect(responses.get(status) ?? 0, `status ${status}`).toBeGreaterThan(counts.cases / 100);
  }
  console.log(
    `${counts.cases} updates, seed ${env.FUZZ.seed}: ${JSON.stringify(Object.fromEntries(responses))}`,
  );
});

test(`POST of any bytes: 400, or the response to their JSON (seed ${env.FUZZ.seed})`, {
  timeout: 0,
}, async () => {
  const agency = await openAgency('RAW', ['A-101']);
  const headers = withToken(await obtainToken(agency));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.json().map((json) => new TextEncoder().encode(json.slice(0, -1))),
    fc
      .constantFrom('', '\ufeff{}', '{"a":1,"a":2}', '1e400', `${'['.repeat(20_000)}`)
      .map((raw) => new TextEncoder().encode(raw)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (raw) => {
      const response = await ask(`/v1/developments/${DEVELOPMENT}/units/update-by-name`, {
        method: 'POST',
        headers,
        body: raw as Uint8Array<ArrayBuffer>,
      });
      const { code } = JSON.parse(response.text);
      expect([
        [400, 'not_json'],
        [422, 'invalid_fields'],
      ]).toContainEqual([response.status, code]);
    }),
    { seed: env.FUZZ.seed, numRuns: Math.ceil(env.FUZZ.cases / 10) },
  );
});
