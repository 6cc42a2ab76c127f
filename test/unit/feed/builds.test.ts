import { expect, test, vi } from 'vitest';
import { type BuildClaim, claimBuild } from '../../../src/feed/build/builds.ts';
import { deflatePiece } from '../../../src/feed/document/gzip.ts';

const later = (milliseconds = 20) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const piece = {
  ...deflatePiece(new TextEncoder().encode('part')),
  records: 1,
  plain: null,
  revision: { incarnation: 1, number: 1 },
};

async function claim(key: string, storedBytes?: number): Promise<BuildClaim> {
  const claimed = await claimBuild(key, storedBytes);
  if ('value' in claimed) throw new Error('Another request has built it');
  return claimed;
}

test('a request after the build, until its snapshot is recorded: what was built; then a build of its own', async () => {
  const builder = await claim('recorded');
  builder.built();
  builder.share(piece);
  expect(await claimBuild('recorded')).toEqual({ value: piece });
  builder.end();
  (await claim('recorded')).end();
});

test('a build whose request was cancelled: a waiting request builds after 30 s', async () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const cancelled = await claim('cancelled');
  let took = false;
  const other = claim('cancelled').then((claimed) => {
    took = true;
    return claimed;
  });
  await later();
  now.mockReturnValue(1_029_999);
  await later();
  expect(took).toBe(false);
  now.mockReturnValue(1_030_000);
  (await other).end();
  cancelled.end();
  now.mockRestore();
});

test('more than two builds of unknown size at a time: the others wait until memory is free', async () => {
  const running = await Promise.all(['a', 'b'].map((name) => claim(name)));
  let third = false;
  const waiting = claim('c').then((claimed) => {
    third = true;
    claimed.end();
  });
  await later();
  expect(third).toBe(false);
  running[0]!.built();
  await waiting;
  for (const build of running) build.end();
});

test('builds of parts that are known to be small: eight at a time', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `small-${index}`);
  let started = 0;
  const running = names.map(async (name) => {
    const build = await claim(name, 10_000);
    started++;
    return build;
  });
  await later(100);
  expect(started).toBe(8);
  (await running[0]!).built();
  for (const build of await Promise.all(running)) build.end();
});

test('a build whose part takes all memory: others wait until it is built', async () => {
  const large = await claim('large');
  large.hold(1_000_000_000);
  let other = false;
  const waiting = claim('other').then((claimed) => {
    other = true;
    claimed.end();
  });
  await later();
  expect(other).toBe(false);
  large.built();
  await waiting;
  large.end();
});
