/** Tests of the Worker that any change may break: the documents of feeds, byte for byte. */
const ALWAYS = ['test/worker/feed/golden.test.ts'];

/** One test file of each interface, for changes that concern them all. */
const CROSS_SECTION = [
  'test/worker/feed/snapshots/serving.test.ts',
  'test/worker/oauth/token.test.ts',
  'test/worker/portfolio/write.test.ts',
  'test/worker/units/update-by-name.test.ts',
];

/**
 * The tests of the Worker that cover a folder of the source, or a file: the longest matching prefix counts. `null`
 * means code that no test of the Worker runs.
 */
export const COVERED_BY: Readonly<Record<string, readonly string[] | null>> = {
  'src/cli/demo/': ['test/worker/portfolio/demo.test.ts'],
  'src/cli/': null,
  'src/db/': [
    'test/worker/db/',
    'test/worker/portfolio/',
    'test/worker/feed/snapshots/serving.test.ts',
    'test/worker/units/update-by-name.test.ts',
  ],
  'src/demo/': null,
  'src/feed/': ['test/worker/feed/'],
  'src/lib/': ['test/worker/lib/', ...CROSS_SECTION],
  'src/oauth/': ['test/worker/oauth/'],
  'src/portfolio/': ['test/worker/portfolio/'],
  'src/schemas/': ['test/worker/schemas/'],
  'src/units/': ['test/worker/units/'],
  'src/': CROSS_SECTION,
  'migrations/': ['test/worker/db/', ...CROSS_SECTION],
  'test/support/': CROSS_SECTION,
  'package-lock.json': CROSS_SECTION,
  'vitest.config.ts': CROSS_SECTION,
};

/**
 * The test files and folders of the Worker that changed files affect, without the fuzz tests, which take long.
 *
 * @param changed paths from the root of the repository
 */
export function affectedTests(changed: readonly string[]): string[] {
  return [...new Set([...ALWAYS, ...changed.filter((path) => !path.endsWith('.md')).flatMap(testsOf)])];
}

function testsOf(path: string): readonly string[] {
  if (path.startsWith('test/worker/fuzz/')) return [];
  if (path.startsWith('test/worker/')) {
    return [path.endsWith('.test.ts') ? path : path.slice(0, path.lastIndexOf('/') + 1)];
  }
  const longest = Object.keys(COVERED_BY)
    .filter((start) => path.startsWith(start))
    .sort((a, b) => b.length - a.length)[0];
  return (longest === undefined ? null : COVERED_BY[longest]) ?? [];
}
