import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { newSigningKey } from './src/oauth/keys.ts';
import { fuzzBudget } from './test/fuzz/settings.ts';
import { answerValidation } from './test/support/validator.ts';

const signingKeys = JSON.stringify({ keys: [await newSigningKey()] });
const migrations = await readD1Migrations(fileURLToPath(new URL('./migrations', import.meta.url)));

export default defineConfig({
  test: {
    // By default one core would be left idle, which of two is half the machine.
    maxWorkers: 2,
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
          include: ['test/**/*.test.ts'],
          exclude: ['test/node/**', 'test/bench/**'],
          setupFiles: ['./test/support/migrate.ts'],
          testTimeout: 60_000,
        },
      },
      { test: { name: 'node', include: ['test/node/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
});
