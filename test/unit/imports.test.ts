import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

/** The parts of the source in layers, a line each. A part may import only from the layers above its own. */
const LAYERS = `
  env  lib  problem
  portfolio  request-log  rate-limits
  db  http  portfolio/vocabulary
  api/deliveries  databases  demo  rules
  tasks  oauth
  api/resource  feed
  api/feed-access  api/units  api/readers  import
  databases/backups  service  api/imports  api/changes  api/report  api/export
  operator  failures  api/webhooks  api/properties
  api/apis  periodic  console
  routes  routing
  app
  worker
  api/openapi
  cli
`;

const DEPTHS = new Map(
  LAYERS.trim()
    .split('\n')
    .flatMap((line, depth) =>
      line
        .trim()
        .split(/ +/)
        .map((part) => [part, depth] as const),
    ),
);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.d)\.tsx?$/.test(file));

function textOf(file: string): string {
  return readFileSync(join(SRC, file), 'utf8');
}

function importsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^(?:import|export)[^;]*? from '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    ([, from, late]) => (from ?? late)!,
  );
}

function filesImportedBy(file: string): string[] {
  return importsOf(file)
    .filter((from) => from.startsWith('.') && /\.tsx?$/.test(from))
    .map((from) => relative(SRC, join(SRC, dirname(file), from)));
}

/** The innermost part that a file is in. */
function partOf(file: string): string {
  const path = file.replace(/\.tsx?$/, '');
  const parts = [...DEPTHS.keys()].filter((part) => path === part || path.startsWith(`${part}/`));
  return parts.sort((a, b) => b.length - a.length)[0]!;
}

describe.each(files)('src/%s', (file) => {
  test('imports only lower parts', () => {
    const part = partOf(file);
    const isLower = (other: string) => DEPTHS.get(other)! < DEPTHS.get(part)!;
    expect(filesImportedBy(file).filter((from) => partOf(from) !== part && !isLower(partOf(from)))).toEqual([]);
  });

  test('has SQL only in src/db, src/operator and the ledger of migrations', () => {
    if (/^(db|operator|cli\/deploy)\//.test(file)) return;
    expect(importsOf(file).filter((from) => from.startsWith('drizzle-orm'))).toEqual([]);
    expect(textOf(file)).not.toMatch(/\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) \w/);
  });
});
