import type { D1Migration } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { takeViolations } from '../platform/limits/violation.ts';
import { dropAdded } from './added.ts';
import { emptyCaches } from './caches.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      /** The migrations of `migrations/`, for tests to apply. */
      readonly MIGRATIONS: D1Migration[];
    }
  }
}

// Runs before each test file. Files share a workerd, which takes longer to start than most files take, and its modules, whose
// evaluation was nearly a third of the time of all files: each begins with empty caches, an empty database and an empty KV.
vi.useRealTimers();
const isFirstFile =
  (await env.DB.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").first()) === null;
if (isFirstFile) {
  // Not by `applyD1Migrations`: importing it loads the complete Worker, which many tests do not need.
  await env.DB.batch(
    env.MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))),
  );
  makePasswordsCheap();
} else {
  emptyCaches();
  await dropAdded(env.DB);
  await env.DB.exec('UPDATE accounts SET frozen = 0');
  const tables = ['moves', 'directory', 'walks', 'accounts'];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  await env.DB.exec('UPDATE time_line SET incarnation = 1');
  await emptySnapshots();
}

const unhandled: unknown[] = [];

function noteUnhandled({ reason }: PromiseRejectionEvent): void {
  unhandled.push(reason);
}

beforeAll(() => addEventListener('unhandledrejection', noteUnhandled));
afterAll(() => removeEventListener('unhandledrejection', noteUnhandled));

afterEach(() => {
  // The Worker may have caught the error.
  const [violation] = takeViolations();
  if (violation !== undefined) throw violation;
  const [rejection] = unhandled.splice(0);
  if (rejection !== undefined)
    throw new Error('A promise was rejected, and nothing handled that', { cause: rejection });
});

async function emptySnapshots(): Promise<void> {
  for (;;) {
    const { keys } = await env.SNAPSHOTS.list();
    if (keys.length === 0) return;
    await Promise.all(keys.map(({ name }) => env.SNAPSHOTS.delete(name)));
  }
}

/** Derives keys in one iteration instead of 100,000, which would take half the time of many tests. */
function makePasswordsCheap(): void {
  const deriveBits = crypto.subtle.deriveBits.bind(crypto.subtle);
  crypto.subtle.deriveBits = (algorithm, key, length) =>
    deriveBits({ ...(algorithm as object), iterations: 1 } as never, key, length);
}
