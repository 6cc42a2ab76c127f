import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { generateSigningKey } from './src/oauth/generate-signing-key.ts';
import { answerValidation } from './test/support/validator.ts';
import { fuzzBudget } from './test/worker/fuzz/settings.ts';

const signingKeys = JSON.stringify({ keys: [await generateSigningKey()] });
const migrations = await readD1Migrations(fileURLToPath(new URL('./migrations', import.meta.url)));

/** What the Worker imports of its libraries, path by path: one that is left out would be there twice. */
const libraries = [
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'hono',
  'hono/factory',
  'hono/utils/basic-auth',
  'hono/utils/url',
  'jose',
  'negotiator',
  'zod',
];

export default defineConfig({
  test: {
    // One more than the two cores that tests are meant for: some wait for processes and clocks.
    maxWorkers: 3,
    // A line a request would bury what tests say.
    onConsoleLog: (line) => !line.startsWith('{"event":"request"'),
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: { MIGRATIONS: migrations, SIGNING_KEYS: signingKeys, FUZZ: fuzzBudget(process.env) },
              serviceBindings: { VALIDATOR: answerValidation },
            },
          }),
        ],
        test: {
          name: 'worker',
          // workerd fetches a module at a time for each file of tests, and the libraries are hundreds.
          deps: { optimizer: { ssr: { enabled: true, include: libraries } } },
          include: ['test/worker/**/*.test.ts'],
          setupFiles: ['./test/support/migrate.ts'],
          testTimeout: 60_000,
        },
      },
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          globalSetup: ['./test/support/bundle.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
