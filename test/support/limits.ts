import { env } from 'cloudflare:workers';
import type { Env } from '../../src/env.ts';

type Limiter = 'CREDENTIAL_CHECKS' | 'ADDRESS_CHECKS' | 'TOKENS' | 'UPDATES';

/** Bindings without limits, except for limiters that allow so many calls. */
export function limitless(allowed: Partial<Record<Limiter, number>>): Env {
  const limiter = (most: number) => {
    let calls = 0;
    return { limit: async () => ({ success: ++calls <= most }) };
  };
  const limiters = Object.fromEntries(
    (['CREDENTIAL_CHECKS', 'ADDRESS_CHECKS', 'TOKENS', 'UPDATES'] as const).map((name) => [
      name,
      limiter(allowed[name] ?? Number.POSITIVE_INFINITY),
    ]),
  );
  return { ...env, ...limiters } as Env;
}
