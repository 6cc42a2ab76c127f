import { expect, test, vi } from 'vitest';
import { type BuildClaim, claimBuild } from '../../../src/feed/build/builds.ts';
import { deflatePiece } from '../../../src/feed/document/gzip.ts';

const later = (milliseconds = 20) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const piece = { ...deflatePiece(new TextEncoder().encode('part')), records: 1, revisions: { sale: 1, rental: 1 } };

async function claim(key: string): Promise<BuildClaim> {
  const claimed = await claimBuild(key);
  if (!('share' in claimed)) throw new Error('Another request has built it');
  return claimed;
}

test('requests for a part that is being built: what the first one builds', async () => {
  const builder = await claim('shared');
  const others = [claimBuild('shared'), claimBuild('shared')];
  await later();
  builder.share(piece);
  expect(await Promise.all(others)).toEqual([piece, piece]);
  builder.end();
});

test('a request after the build, until its snapshot is recorded: what was built; then a build of its own', async () => {
  const builder = await claim('recorded');
  builder.yieldSlot();
  builder.share(piece);
  expect(await claimBuild('recorded')).toBe(piece);
  builder.end();
  (await claim('recorded')).end();
});

test('a build that fails: the waiting requests build, one of them at a time', async () => {
  const builder = await claim('failing');
  const others = [claimBuild('failing'), claimBuild('failing')];
  await later();
  builder.end();
  const second = (await Promise.race(others)) as BuildClaim;
  second.share(piece);
  expect(await Promise.all(others)).toContain(piece);
  second.end();
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

test('more than two builds at a time: the others wait until a slot is free', async () => {
  const running = await Promise.all(['a', 'b'].map(claim));
  let third = false;
  const waiting = claim('c').then((claimed) => {
    third = true;
    claimed.end();
  });
  await later();
  expect(third).toBe(false);
  running[0]!.yieldSlot();
  await waiting;
  for (const build of running) build.end();
});
