import { expect, test } from 'vitest';
import { expectViolations, platform } from './fakes.ts';

expectViolations();

test('30 s after its response an invocation may still use its bindings, later it may not', async () => {
  const { invoke, pass } = platform();
  const { invocation, DB, SNAPSHOTS } = invoke();
  pass(600_000);
  await DB.prepare('SELECT 1').run();
  invocation.background.begin();
  pass(30_000);
  await SNAPSHOTS.put('key', 'x');
  pass(1);
  await expect(SNAPSHOTS.get('key')).rejects.toThrow('more than 30 s after the response');
  await expect(DB.prepare('SELECT 1').run()).rejects.toThrow('more than 30 s after the response');
});
