import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { app } from '../../../src/app.ts';
import { examine } from '../../../src/operator/doctor.ts';

afterEach(() => vi.restoreAllMocks());

async function finding() {
  return (await examine(env)).find(({ check }) => check === 'tasks');
}

test('tasks that the platform has given up: logged, and doctor says which', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await finding()).toMatchObject({ ok: true });
  const backup = { kind: 'backup', accountId: 1, day: '2026-05-01', piece: 0 };
  const messages = [backup, { ...backup, piece: 1 }, { kind: 'import', accountId: 1 }].map(
    (body, index) => ({ id: `message-${index}`, body }),
  );
  const batch = { queue: 'lindero-dead-tasks', messages } as unknown as MessageBatch;
  await app.tasks(batch, env);
  expect(logged.mock.calls.map(([line]) => JSON.parse(line))[0]).toEqual({
    event: 'task.lost',
    task: backup,
  });
  expect(await finding()).toMatchObject({ ok: false, detail: '2 backup; and 1 more' });
});
