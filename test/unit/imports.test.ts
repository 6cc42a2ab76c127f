import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

/** What a part of the source may import, besides itself. A longer path is stricter than a shorter one. */
const MAY_USE: Readonly<Record<string, string>> = {
  lib: '',
  messages: 'lib',
  'http problem': 'env lib messages problem',
  db: 'lib properties/documents',
  vocabulary: 'lib db properties/documents',
  properties: 'lib messages db vocabulary accounts/actor',
  accounts: 'env lib db units/units',
  readers: 'env lib messages db tasks accounts properties units/units',
  'tasks rate-limits request-log': 'env lib accounts problem',
  rules: 'lib vocabulary properties feed/build/feed-properties',
  feed: 'env lib messages problem rate-limits request-log db tasks accounts vocabulary properties readers rules',
  'imports/formats imports/input imports/pipeline imports/values imports/xml':
    'lib messages db/account-read db/schema vocabulary properties accounts/actor imports',
};

/** Parts that only these others import. */
const USED_ONLY_BY: Readonly<Record<string, string>> = {
  cli: '',
  console: 'routes routing',
  operator: 'apis app routes schedule cli',
  schedule: 'app',
  demo: 'cli routes operator',
  openapi: 'cli routes',
  'readers/api properties/api imports/api rules/report':
    'apis changes units service console operator schedule cli pictures feed/formats/formats',
};

/** A part that a rule names does not include the parts with rules of their own. */
function isIn(file: string, parts: string): boolean {
  return parts.split(' ').some((part) => file === part || file.startsWith(`${part}/`));
}

/** The rule for a file: that of the longest path. */
function ruleFor<Rule>(
  file: string,
  rules: Readonly<Record<string, Rule>>,
): [string, Rule] | undefined {
  const found = Object.entries(rules).filter(([parts]) => isIn(file, parts));
  const depth = ([parts]: [string, Rule]) => parts.split(' ')[0]!.split('/').length;
  return found.toSorted((a, b) => depth(b) - depth(a))[0];
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!\.d)\.tsx?$|(?<!tsconfig)\.json$/.test(name),
);
const sources = files.filter((name) => /\.tsx?$/.test(name));

/** Every import within the source: two paths without extensions. */
const imports = sources.flatMap((file) => {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [
    ...text.matchAll(/^(?:import|export)(?:[^;]*? from)? '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm),
  ]
    .map(([, from, late]) => relative(SRC, join(SRC, dirname(file), (from ?? late)!)))
    .filter((imported) => /\.(tsx?|json)$/.test(imported))
    .map((imported) => [withoutExtension(file), withoutExtension(imported)] as const);
});

function withoutExtension(path: string): string {
  return path.replace(/\.tsx?$/, '');
}

/** The routes of a room stand on top of the feed, whatever the rest of the room may use. */
const ON_TOP = Object.keys(USED_ONLY_BY).join(' ');

test('a part of the source imports only what it may use', () => {
  const wrong = imports.filter(([file, imported]) => {
    if (isIn(file, ON_TOP)) return false;
    const [parts, used] = ruleFor(file, MAY_USE) ?? [];
    return used !== undefined && !isIn(imported, `${parts} ${used}`);
  });
  expect(wrong).toEqual([]);
});

test('routes, pages, programs and schedules are imported by nothing else', () => {
  const wrong = imports.filter(([file, imported]) => {
    const [parts, users] = ruleFor(imported, USED_ONLY_BY) ?? [];
    return users !== undefined && !isIn(file, `${parts} ${users}`);
  });
  expect(wrong).toEqual([]);
});

test('files do not import one another in a circle, not even for types', () => {
  const importsOf = Map.groupBy(imports, ([file]) => file);
  const reachable = (file: string, seen = new Set<string>()): Set<string> => {
    for (const [, imported] of importsOf.get(file) ?? []) {
      if (seen.has(imported)) continue;
      seen.add(imported);
      reachable(imported, seen);
    }
    return seen;
  };
  const circular = [...importsOf.keys()].filter((file) => reachable(file).has(file));
  expect(circular).toEqual([]);
});

/** What starts a program, or is the Worker; a library loads the first. */
const ENTRIES = 'worker cli/main cli/start cli/setup/write-assets';

test('every file is imported by another: one that is not lacks a line in the list of its kind', () => {
  const used = new Set(imports.map(([, imported]) => imported));
  const unused = files.map(withoutExtension).filter((file) => !used.has(file));
  expect(unused.filter((file) => !isIn(file, ENTRIES))).toEqual([]);
});

test('pages, commands and what rooms share have no SQL', () => {
  const drizzle = (file: string) => /from 'drizzle-orm/.test(readFileSync(join(SRC, file), 'utf8'));
  expect(
    sources.filter(
      (file) => isIn(file, 'console api http lib tasks openapi service') && drizzle(file),
    ),
  ).toEqual([]);
});
