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
  deliveries: ['lib', 'db', 'http', 'portfolio'],
  apis: [
    'changes',
    'developments',
    'http',
    'imports',
    'oauth',
    'properties',
    'readers',
    'report',
    'service',
    'units',
    'webhooks',
  ],
  failures: ['env', 'lib', 'oauth', 'problem', 'request-log', 'service'],
  // Used only by the build: the Worker serves what it writes.
  openapi: ['apis', 'feed', 'http', 'oauth', 'problem'],
  databases: ['lib', 'db', 'env'],
  backups: ['lib', 'db', 'env', 'import', 'tasks'],
  periodic: ['backups', 'imports', 'lib', 'db', 'env', 'feed', 'readers', 'units', 'webhooks'],
  routing: ['lib', 'databases', 'db', 'env', 'feed', 'console'],
  service: ['assets', 'databases', 'db', 'env', 'feed', 'http', 'lib', 'oauth', 'problem', 'readers'],
  assets: ['lib', 'env', 'problem'],
  console: [
    'http',
    'databases',
    'imports',
    'lib',
    'portfolio',
    'deliveries',
    'oauth',
    'webhooks',
    'tasks',
    'db',
    'env',
    'request-log',
    'rate-limits',
    'feed',
    'units',
    'assets',
    'readers',
    'report',
    'rules',
    'problem',
    'properties',
  ],
  demo: ['assets', 'env'],
  'request-log': ['lib', 'env'],
  problem: [],
  http: ['env', 'lib', 'problem', 'rate-limits'],
  tasks: ['databases', 'env', 'lib'],
  webhooks: ['lib', 'db', 'env', 'http', 'request-log', 'rate-limits', 'changes', 'oauth', 'units', 'tasks', 'problem'],
  imports: [
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
    'vocabulary',
  ],
  'rate-limits': ['lib', 'env'],
  feed: ['lib', 'portfolio', 'vocabulary', 'db', 'env', 'tasks', 'request-log', 'rate-limits', 'rules'],
  oauth: ['http', 'lib', 'databases', 'db', 'env', 'request-log', 'rate-limits', 'problem'],
  developments: ['http', 'lib', 'portfolio', 'db', 'feed', 'oauth', 'problem', 'units'],
  units: [
    'http',
    'lib',
    'db',
    'portfolio',
    'deliveries',
    'env',
    'request-log',
    'rate-limits',
    'feed',
    'oauth',
    'problem',
  ],
  changes: ['http', 'lib', 'portfolio', 'db', 'env', 'request-log', 'rate-limits', 'feed', 'oauth', 'units', 'problem'],
  readers: [
    'http',
    'lib',
    'portfolio',
    'db',
    'deliveries',
    'env',
    'tasks',
    'request-log',
    'rate-limits',
    'feed',
    'oauth',
    'units',
    'problem',
  ],
  properties: ['http', 'lib', 'portfolio', 'db', 'env', 'rate-limits', 'feed', 'oauth', 'import', 'problem'],
  report: ['http', 'lib', 'db', 'env', 'request-log', 'rate-limits', 'feed', 'oauth', 'problem', 'assets', 'rules'],
  app: [
    'backups',
    'periodic',
    'http',
    'databases',
    'routing',
    'apis',
    'failures',
    'service',
    'imports',
    'lib',
    'db',
    'env',
    'request-log',
    'feed',
    'readers',
    'units',
    'console',
    'demo',
    'problem',
    'tasks',
    'webhooks',
  ],
  rules: ['lib', 'portfolio', 'db', 'demo', 'vocabulary'],
  worker: ['app', 'lib', 'env'],
  vocabulary: ['lib', 'portfolio'],
  import: ['lib', 'portfolio', 'vocabulary', 'db', 'env', 'feed'],
  cli: [
    'backups',
    'databases',
    'import',
    'imports',
    'lib',
    'portfolio',
    'vocabulary',
    'db',
    'db/operator',
    'deliveries',
    'env',
    'feed',
    'oauth',
    'readers',
    'report',
    'rules',
    'openapi',
    'webhooks',
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

function partOf(file: string): string {
  return file.startsWith('db/operator/') ? 'db/operator' : file.split('/')[0]!.replace(/\.tsx?$/, '');
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
