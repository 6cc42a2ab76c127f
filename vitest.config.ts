import { join } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { writeAssets } from './src/cli/setup/write-assets.ts';
import { generateSigningKey } from './src/oauth/own-keys.ts';
import { serveValidation } from './test/support/documents/xsd.ts';
import { moveBudget } from './test/worker/databases/settings.ts';
import { fuzzBudget } from './test/worker/fuzz/settings.ts';

// Otherwise wrangler says which settings it has read.
process.env.WRANGLER_LOG ??= 'error';

await writeAssets();

const signingKeys = JSON.stringify({ keys: [await generateSigningKey()] });
const migrations = await readD1Migrations(join(import.meta.dirname, './migrations'));

/** Every library path that the Worker and its tests import; a missing one would be loaded twice. */
const libraries = [
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'fast-check',
  'hono',
  'hono/combine',
  'hono/cookie',
  'hono/csrf',
  'hono/factory',
  'hono/hono-base',
  'hono/html',
  'hono/http-exception',
  'hono/jsx',
  'hono/jsx/jsx-dev-runtime',
  'hono/jsx/jsx-runtime',
  'hono/method-not-allowed',
  'hono/request-id',
  'hono/router/trie-router',
  'hono/secure-headers',
  'hono/utils/basic-auth',
  'hono/utils/url',
  'ipaddr.js',
  'jose',
  'otpauth',
  'saxes',
  'standardwebhooks',
  'uqr',
  'zod',
];

/** Time limits that only a hang exceeds: on a busy machine a test may take twenty times as long as usual. */
const timeLimits = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000, interval: 20 } },
};

/** One more than the two cores that tests are meant for: some wait for processes and clocks. */
const workers = { maxWorkers: 3 };

/** Files that a change of almost any module affects, and that take most of the time: `npm run test:fast` leaves them out. */
const SLOW =
  process.env.FAST === undefined
    ? []
    : [
        'test/unit/cli/help.test.ts',
        'test/unit/feed/idealista.test.ts',
        'test/unit/schemas/*.test.ts',
        'test/worker/api/*.test.ts',
        'test/worker/console/*.test.ts',
        'test/worker/databases/*.test.ts',
        'test/worker/changes/route.test.ts',
        'test/worker/db/other-rows.test.ts',
        'test/worker/feed/{idealista,paging}.test.ts',
        'test/worker/feed/snapshots/*.test.ts',
        'test/worker/fuzz/*.test.ts',
        'test/worker/imports/*.test.ts',
        'test/worker/oauth/other-issuer.test.ts',
        'test/worker/readers/{channels,ledger,policies}.test.ts',
        'test/worker/units/feed.test.ts',
      ];

/** A project whose tests run in the Worker's isolate. */
const inWorker = (name: string, include: string, exclude: string[] = []) => ({
  // Otherwise vitest would load this file, and bundle what it imports, once more.
  extends: false as const,
  plugins: [
    cloudflareTest({
      // workerd's own messages about readers that hang up: tests do that on purpose.
      verbose: false,
      main: './test/support/worker/strict-worker.ts',
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        bindings: {
          MIGRATIONS: migrations,
          SIGNING_KEYS: signingKeys,
          SESSION_KEY: 'session-key-'.repeat(4),
          SEALING_KEY: 'sealing-key-'.repeat(4),
          OPERATOR_KEY: 'operator-key-'.repeat(4),
          FUZZ: fuzzBudget(process.env),
          MOVES: moveBudget(process.env),
        },
        serviceBindings: { VALIDATOR: serveValidation },
        // Queues that nothing consumes. A consumer would run at any time in the isolate of the tests, and a test that resumes in
        // its context cannot report to vitest, which then never ends. Tests execute tasks themselves.
        queueProducers: {
          TASKS: 'not-consumed',
          LONG_TASKS: 'not-consumed',
          DEAD_TASKS: 'not-consumed',
        },
        // Under other names than the Worker's: only tests of several databases bind them as those.
        d1Databases: { SECOND_DATABASE: 'second', THIRD_DATABASE: 'third' },
      },
    }),
  ],
  test: {
    // workerd fetches modules one by one, and the libraries have hundreds.
    deps: { optimizer: { ssr: { enabled: true, include: libraries } } },
    name,
    include: [include],
    exclude,
    setupFiles: ['./test/support/worker/setup.ts'],
    // Starting workerd takes longer than most files: `worker-setup.ts` separates them.
    isolate: false,
    ...workers,
    ...timeLimits,
  },
});

/** Keeps the files of a project together, since they share processes, and starts with the longest. */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ['long', 'long-worker', 'system', 'worker', 'unit'];
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => order.indexOf(a.project.name) - order.indexOf(b.project.name));
  }
}

/** A project whose tests start the bundled Worker, and other programs. */
const withProcesses = (name: string) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    exclude: ['test/long/worker/**'],
    globalSetup: ['./test/support/worker/bundle.ts'],
    isolate: false,
    ...timeLimits,
  },
});

export default defineConfig({
  test: {
    ...workers,
    sequence: { sequencer: ByProject },
    // A log prints failures and the summary; a terminal also shows progress.
    reporters: [process.stdout.isTTY ? 'default' : 'minimal'],
    silent: 'passed-only',
    projects: [
      inWorker('worker', 'test/worker/**/*.test.ts', SLOW),
      inWorker('long-worker', 'test/long/worker/**/*.test.ts'),
      // Without isolation the files of a process share the modules that they import: loading them takes most of the time.
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: SLOW,
          isolate: false,
          ...timeLimits,
        },
      },
      withProcesses('system'),
      withProcesses('long'),
    ],
  },
});
