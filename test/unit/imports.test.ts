import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

/** What each part of the source may import in addition to itself: only lower parts, without cycles. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  env: [],
  lib: [],
  portfolio: ['lib'],
  db: ['lib', 'portfolio'],
  // Used only by the operator's program: the Worker must not import it.
  'db/operator': ['lib', 'portfolio', 'db'],
  'api/deliveries': ['lib', 'db', 'http', 'portfolio'],
  'api/resource': ['http', 'oauth', 'problem'],
  'api/feed-access': ['env', 'feed', 'oauth', 'problem', 'rate-limits'],
  'api/apis': [
    'api/changes',
    'http',
    'api/imports',
    'oauth',
    'api/properties',
    'api/readers',
    'api/report',
    'service',
    'api/units',
    'api/webhooks',
  ],
  failures: ['env', 'lib', 'oauth', 'problem', 'request-log', 'service'],
  // Used only by the build: the Worker serves what it writes.
  'api/openapi': ['api/apis', 'feed', 'http', 'lib', 'oauth', 'problem'],
  databases: ['lib', 'db', 'env'],
  'databases/backups': ['lib', 'db', 'env', 'import', 'tasks'],
  periodic: [
    'databases/backups',
    'api/imports',
    'lib',
    'db',
    'env',
    'feed',
    'api/readers',
    'api/units',
    'api/webhooks',
  ],
  routing: ['lib', 'databases', 'db', 'env', 'feed', 'console'],
  service: ['assets', 'databases', 'db', 'env', 'feed', 'http', 'lib', 'oauth', 'problem', 'api/readers'],
  assets: ['lib', 'env', 'problem'],
  console: [
    'http',
    'databases',
    'api/imports',
    'lib',
    'portfolio',
    'api/deliveries',
    'oauth',
    'api/webhooks',
    'tasks',
    'db',
    'env',
    'request-log',
    'rate-limits',
    'feed',
    'api/units',
    'assets',
    'api/readers',
    'api/report',
    'rules',
    'problem',
    'api/properties',
  ],
  demo: ['assets', 'env'],
  'request-log': ['lib', 'env'],
  problem: [],
  http: ['env', 'lib', 'problem', 'rate-limits'],
  tasks: ['databases', 'env', 'lib'],
  'api/webhooks': [
    'api/resource',
    'lib',
    'db',
    'env',
    'http',
    'request-log',
    'rate-limits',
    'api/changes',
    'oauth',
    'api/units',
    'tasks',
    'problem',
  ],
  'api/imports': [
    'api/resource',
    'lib',
    'db',
    'env',
    'http',
    'import',
    'request-log',
    'rate-limits',
    'feed',
    'oauth',
    'tasks',
    'problem',
    'portfolio/vocabulary',
  ],
  'rate-limits': ['lib', 'env'],
  feed: ['lib', 'portfolio', 'portfolio/vocabulary', 'db', 'env', 'tasks', 'request-log', 'rate-limits', 'rules'],
  oauth: ['http', 'lib', 'databases', 'db', 'env', 'request-log', 'rate-limits', 'problem'],
  'api/units': [
    'http',
    'lib',
    'db',
    'portfolio',
    'api/deliveries',
    'env',
    'request-log',
    'rate-limits',
    'feed',
    'oauth',
    'problem',
  ],
  'api/changes': [
    'http',
    'lib',
    'portfolio',
    'db',
    'env',
    'request-log',
    'rate-limits',
    'feed',
    'api/feed-access',
    'oauth',
    'api/units',
    'problem',
  ],
  'api/readers': [
    'api/resource',
    'http',
    'lib',
    'portfolio',
    'db',
    'api/deliveries',
    'env',
    'tasks',
    'request-log',
    'rate-limits',
    'feed',
    'oauth',
    'api/units',
    'problem',
  ],
  'api/properties': [
    'api/imports',
    'http',
    'lib',
    'portfolio',
    'portfolio/vocabulary',
    'db',
    'env',
    'rate-limits',
    'feed',
    'oauth',
    'import',
    'problem',
  ],
  'api/report': [
    'api/feed-access',
    'http',
    'lib',
    'db',
    'env',
    'request-log',
    'rate-limits',
    'feed',
    'portfolio',
    'oauth',
    'problem',
    'assets',
    'rules',
  ],
  app: [
    'databases/backups',
    'periodic',
    'http',
    'databases',
    'routing',
    'api/apis',
    'failures',
    'service',
    'api/imports',
    'lib',
    'db',
    'env',
    'request-log',
    'feed',
    'api/readers',
    'api/units',
    'console',
    'demo',
    'problem',
    'tasks',
    'api/webhooks',
  ],
  rules: ['lib', 'portfolio', 'db', 'demo', 'portfolio/vocabulary'],
  worker: ['app', 'lib', 'env'],
  'portfolio/vocabulary': ['lib', 'portfolio'],
  import: ['lib', 'portfolio', 'portfolio/vocabulary', 'db', 'env', 'feed'],
  cli: [
    'databases/backups',
    'databases',
    'import',
    'api/imports',
    'lib',
    'portfolio',
    'portfolio/vocabulary',
    'db',
    'db/operator',
    'api/deliveries',
    'env',
    'feed',
    'oauth',
    'api/readers',
    'api/report',
    'rules',
    'api/openapi',
    'api/webhooks',
    'console',
    'service',
  ],
};

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.d)\.tsx?$/.test(file));

function textOf(file: string): string {
  return readFileSync(join(SRC, file), 'utf8');
}

function importsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^(?:import|export)[^;]*? from '([^']+)'/gm)].map(([, from]) => from!);
}

function filesImportedBy(file: string): string[] {
  return importsOf(file)
    .filter((from) => from.startsWith('.') && /\.tsx?$/.test(from))
    .map((from) => relative(SRC, join(SRC, dirname(file), from)));
}

/** The longest entry of the table that a file is in. */
function partOf(file: string): string {
  const path = file.replace(/\.tsx?$/, '');
  const parts = Object.keys(MAY_IMPORT).filter((part) => path === part || path.startsWith(`${part}/`));
  return parts.sort((a, b) => b.length - a.length)[0]!;
}

describe.each(files)('src/%s', (file) => {
  test('imports only lower parts', () => {
    const allowed = [partOf(file), ...MAY_IMPORT[partOf(file)]!];
    expect(filesImportedBy(file).filter((imported) => !allowed.includes(partOf(imported)))).toEqual([]);
  });

  test('has SQL only in src/db', () => {
    if (file.startsWith('db/')) return;
    expect(importsOf(file).filter((from) => from.startsWith('drizzle-orm'))).toEqual([]);
    expect(textOf(file)).not.toMatch(/\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) \w/);
  });
});
