import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { app } from '../../../src/app.ts';
import type { Env } from '../../../src/env.ts';
import { startBackups } from '../../../src/operator/backups/backup.ts';
import { listBackups, openBackup, pieceKey } from '../../../src/operator/backups/store.ts';
import {
  documentKey,
  keyOf,
  type PortfolioDocument,
  parseDocument,
} from '../../../src/properties/documents.ts';
import {
  EXPORT_START,
  type ExportPosition,
  exportPortfolio,
  readExportPage,
} from '../../../src/properties/store/export.ts';
import type { Task } from '../../../src/tasks/tasks.ts';
import { updateUnits } from '../../../src/units/unit-updates.ts';
import { createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { property, SOMEBODY, store } from '../../support/accounts/portfolio.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { importPortfolio } from '../../support/import.ts';
import { ask } from '../../support/worker/ask.ts';

const DAY = Date.parse('2026-05-01T02:00:00Z');

/** Runs the tasks of a backup; each message arrives twice. */
async function backUp(accountId: number, time = DAY): Promise<void> {
  const { env: bindings, tasks } = withTasks();
  await startBackups(bindings, [accountId], time);
  for (let next = tasks.shift(); next !== undefined; next = tasks.shift()) {
    for (let arrival = 0; arrival < 2; arrival++) {
      const message = { body: next.task, attempts: 1, ack: vi.fn(), retry: vi.fn() };
      await app.tasks({ queue: '', messages: [message] } as unknown as MessageBatch, bindings);
      expect(message.ack).toHaveBeenCalledOnce();
    }
    tasks.splice(1);
  }
}

async function documentsOf(accountId: number) {
  const documents: PortfolioDocument[] = [];
  for await (const document of exportPortfolio(env.DB, accountId)) documents.push(document);
  return documents;
}

test('a backup in pieces of bounded size, restored under load: the portfolio is as it was, and every feed is complete', async () => {
  const { code, accountId } = await createAgency(env.DB, 'BACKED-UP', ['A-1', 'A-2']);
  // Texts that make several pieces.
  const description = 'x'.repeat(22_000);
  for (let page = 0; page < 4; page++) {
    const properties = Array.from({ length: 60 }, (_, index) =>
      property(`L${page}-${index}`, { texts: { uk: { title: null, description, url: null } } }),
    );
    await store(env.DB, accountId, properties);
  }
  const before = await documentsOf(accountId);
  await backUp(accountId);
  const [backup] = await listBackups(env.FILES, code);
  expect(backup).toMatchObject({ account: code, day: '2026-05-01', documents: before.length });
  expect(backup!.pieces).toBeGreaterThan(1);

  await env.DB.prepare('DELETE FROM properties WHERE account_id = ? AND number % 2 = 0')
    .bind(accountId)
    .run();
  const sold = { name: 'A-1', values: { status: 4, price: 1, directions: '[]' } };
  await updateUnits(env.DB, { accountId, development: DEVELOPMENT }, [sold], SOMEBODY);
  let isRestored = false;
  const load = (async () => {
    let feeds = 0;
    while (!isRestored) {
      const { status, text } = await ask(
        `/CreateXMLFeedV3.asp?IC=${feeds++ % 5}&U=OWNPROPERTIES@${code}&P=demo`,
      );
      expect([status, text.trimEnd().endsWith('</root>')]).toEqual([200, true]);
      const references = [...text.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id);
      expect(new Set(references).size).toBe(references.length);
    }
    return feeds;
  })();
  const options = {
    actor: SOMEBODY,
    now: '2026-05-02T00:00:00Z',
    strict: false,
    replace: true,
    maxWithdrawn: 100,
    dryRun: false,
  };
  await importPortfolio(env, accountId, { open: () => openBackup(env.FILES, backup!) }, options);
  isRestored = true;
  expect(await load).toBeGreaterThan(0);
  const key = (document: object) => JSON.stringify({ ...document, updated_at: null });
  expect((await documentsOf(accountId)).map(key).sort()).toEqual(before.map(key).sort());
});

test('an export of properties whose texts have more than 4 MiB: they are read in several pages', async () => {
  const { accountId } = await createAgency(env.DB, 'LENGTHY', []);
  const text = { title: null, description: 'x'.repeat(65_000), url: null };
  const texts = Object.fromEntries(
    ['uk', 'es', 'de', 'fr', 'nl', 'da', 'ru', 'sv', 'pl', 'no'].map((l) => [l, text]),
  );
  await store(
    env.DB,
    accountId,
    [...'abcdefgh'].map((id) => property(id, { texts })),
  );
  const pages: string[] = [];
  for (let position: ExportPosition | null = EXPORT_START; position !== null; ) {
    const page: Awaited<ReturnType<typeof readExportPage>> = await readExportPage(
      env.DB,
      accountId,
      position,
    );
    const ids = page.documents.flatMap((document) =>
      document.kind === 'property' ? document.id : [],
    );
    if (ids.length > 0) pages.push(ids.join(''));
    position = page.next;
  }
  expect(pages).toEqual(['abcdef', 'gh']);
});

test('an export while units and their properties are created: each property comes after its unit', async () => {
  const { accountId } = await createAgency(env.DB, 'GROWING', []);
  const development = parseDocument({ kind: 'development', id: 'new', name: 'New' });
  const unitOf = (name: string) =>
    parseDocument({ kind: 'unit', development: 'new', name, status: 1, price: 1 });
  const of = (name: string) => property(`of-${name}`, { unit: { development: 'new', name } });
  const first = Array.from({ length: 201 }, (_, at) => property(`P${at}`));
  await store(env.DB, accountId, first);
  const seen = new Set<string>();
  const missing: string[] = [];
  let number = 0;
  for await (const document of exportPortfolio(env.DB, accountId)) {
    seen.add(documentKey(document));
    if (document.kind === 'property' && document.unit !== null) {
      const key = keyOf('unit', document.unit.development, document.unit.name);
      if (!seen.has(key)) missing.push(key);
    }
    if (document.kind !== 'property' || number > 0) continue;
    const names = Array.from({ length: 450 }, () => `U-${number++}`);
    await store(env.DB, accountId, [development, ...names.map(unitOf), ...names.map(of)]);
  }
  expect([missing, seen.size > 201 + 900]).toEqual([[], true]);
});

test('a backup that lacks its last piece is not complete', async () => {
  const { code, accountId } = await createAgency(env.DB, 'KEPT', ['A-1']);
  await backUp(accountId, DAY - 30 * 86_400_000);
  await backUp(accountId);
  await env.FILES.put(pieceKey(code, '2026-05-02', 0), 'cut', {
    customMetadata: { next: '{}', documents: '1' },
  });
  const backups = await listBackups(env.FILES, code);
  expect(backups.map(({ day, documents }) => [day, documents !== null])).toEqual([
    ['2026-04-01', true],
    ['2026-05-01', true],
    ['2026-05-02', false],
  ]);
});

test('a queue that fails after a piece was written: the message is delivered again, and the backup complete', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { code, accountId } = await createAgency(env.DB, 'UNSENT', ['A-1']);
  const text = { title: null, description: 'x'.repeat(65_000), url: null };
  const properties = Array.from({ length: 70 }, (_, n) =>
    property(`P${n}`, { texts: { uk: text } }),
  );
  await store(env.DB, accountId, properties);
  const { env: bindings, tasks } = withTasks();
  const LONG_TASKS = {
    send: async () => Promise.reject(new Error('overloaded')),
  } as unknown as Queue;
  const deliver = async (body: Task, given: Env) => {
    const message = { body, attempts: 1, ack: vi.fn(), retry: vi.fn() };
    await app.tasks({ queue: '', messages: [message] } as unknown as MessageBatch, given);
    return message.ack.mock.calls.length === 1;
  };
  const first: Task = { kind: 'backup', accountId, day: '2026-05-01', piece: 0 };
  expect(await deliver(first, { ...bindings, LONG_TASKS })).toBe(false);
  expect(await deliver(first, bindings)).toBe(true);
  expect(await deliver(tasks[0]!.task, bindings)).toBe(true);
  expect(await listBackups(env.FILES, code)).toMatchObject([
    { pieces: 2, documents: expect.any(Number) },
  ]);
  vi.restoreAllMocks();
});
