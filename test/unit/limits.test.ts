import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { LIMIT_PERIOD_SECONDS, UPDATES_LIMIT } from '../../src/rate-limits.ts';

interface Settings {
  readonly ratelimits: readonly {
    readonly name: string;
    readonly simple: { readonly limit: number; readonly period: number };
  }[];
  readonly env?: Readonly<Record<string, Settings>>;
}

const wrangler = parse(readFileSync('wrangler.toml', 'utf8')) as unknown as Settings;

test.each([['production', wrangler], ...Object.entries(wrangler.env ?? {})])(
  'the rate limits of %s: those that headers state and the API documents',
  (_, { ratelimits }) => {
    const limits = new Map(ratelimits.map(({ name, simple }) => [name, simple]));
    expect(limits.get('UPDATES')).toEqual({ limit: UPDATES_LIMIT, period: LIMIT_PERIOD_SECONDS });
    const introduction = readFileSync('src/openapi/introduction.md', 'utf8');
    const documented = [...introduction.matchAll(/^\| [^|]+ \| ([\d,]+) \|$/gm)];
    const names = ['UPDATES', 'TOKENS', 'ADDRESS_CHECKS', 'CREDENTIAL_CHECKS'];
    expect(documented.map(([, limit]) => Number(limit!.replace(',', '')))).toEqual(
      names.map((name) => limits.get(name)!.limit),
    );
  },
);
