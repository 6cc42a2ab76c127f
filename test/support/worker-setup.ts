import type { D1Migration } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach } from 'vitest';
import { takeViolations } from './platform/violation.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      /** The migrations of `migrations/`, for tests to apply. */
      readonly MIGRATIONS: D1Migration[];
    }
  }
}

// Not by `applyD1Migrations`: importing it loads the complete Worker, which many tests do not need.
await env.DB.batch(env.MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))));

// The Worker may have caught the error.
afterEach(() => {
  const [violation] = takeViolations();
  if (violation !== undefined) throw violation;
});
