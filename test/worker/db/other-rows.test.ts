import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { updateAccount, writeFormatSettings } from '../../../src/accounts/accounts.ts';
import * as people from '../../../src/accounts/people.ts';
import { recordAttempt } from '../../../src/changes/webhooks/webhook-calls.ts';
import * as webhooks from '../../../src/changes/webhooks/webhooks.ts';
import * as imports from '../../../src/imports/runs/imports.ts';
import { deleteSource, listSources, putSource } from '../../../src/imports/runs/sources.ts';
import { deleteClient, listClients, updateClient } from '../../../src/oauth/clients.ts';
import { writePortfolio } from '../../../src/properties/store/write.ts';
import { deleteChannel, listChannels, removeFromChannel } from '../../../src/readers/channels.ts';
import * as readers from '../../../src/readers/readers.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { property, SOMEBODY, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { openWebhook } from '../../support/accounts/webhooks.ts';

const db = env.DB;
const HASH = '$pbkdf2-sha256$i=1$s$k';
const SCHEDULE = { every: 'day', at: '00:00', enabled: true } as const;
const COPIES = { copyPictures: false, origin: '', timeZone: 'UTC' };
const READ = { format: null, strict: false, channel: null, maxWithdrawn: 20 };
const SOURCE = { ...SCHEDULE, ...READ, ...COPIES };
const URLS = { sealed: 'sealed', shown: 'https://feeds.example/' };
const NAMES = ['one', 'two'];
const STATES = ['held', 'receiving', 'applying'];

/** An account, its rows named `one`, and ids of its rows; and another account with the same rows. */
let own: { id: number; one: { accountId: number; name: string }; ids: Record<string, number> };
let other: typeof own;
let accounts = 0;

beforeEach(async () => {
  accounts += 2;
  // Every row of each table is compared.
  await db.exec('DELETE FROM accounts');
  [own, other] = await Promise.all([
    openNamed(`ROWS-${accounts}`, ['P1', 'P2']),
    openNamed(`ROWS-${accounts + 1}`, ['P2', 'P1']),
  ]);
});

/** An account with two rows of each kind; in another one, the same properties have other numbers. */
async function openNamed(code: string, properties: readonly string[]): Promise<typeof own> {
  const accountId = await openAccount(db, code);
  const ids: Record<string, number> = {};
  for (const name of NAMES) {
    ids[`channel ${name}`] = await openChannel(db, { accountId, name });
    await openReader(accountId, name);
    await openWebhook(accountId, name);
    await putSource(db, { accountId, name }, SOURCE, URLS, 0);
  }
  const documents = properties.map((id) =>
    property(id, { channels: id === 'P1' ? NAMES : ['one'] }),
  );
  await store(db, accountId, [...VOCABULARY, ...documents]);
  const rows = NAMES.flatMap((name) => [
    [
      'clients',
      `id, secret, scopes) VALUES (${accountId}, '${code}-${name}', '${'0'.repeat(64)}', ''`,
    ],
    ['people', `name, role, password) VALUES (${accountId}, '${name}', 'owner', '${HASH}'`, name],
    ...STATES.map((state) => [
      'imports',
      `state, options) VALUES (${accountId}, '${state}', '{}'`,
      state,
    ]),
  ]);
  const statements = rows.map(
    ([table, values]) => `INSERT INTO ${table} (account_id, ${values}) RETURNING id`,
  );
  const inserted = await db.batch<{ id: number }>(statements.map((sql) => db.prepare(sql)));
  for (const [index, [, , key]] of rows.entries())
    if (key !== undefined) ids[key] = inserted[index]!.results[0]!.id;
  await db.prepare('UPDATE reader_keys SET expires_at = unixepoch() + 9').run();
  return { id: accountId, one: { accountId, name: 'one' }, ids };
}

const TABLES = [
  'accounts',
  'channels',
  'clients',
  'imports',
  'people',
  'properties',
  'reader_keys',
  'readers',
  'sources',
  'webhooks',
];

/** Every row of each table; of accounts only what is set, since they count changes. */
async function readRows(): Promise<Map<string, Set<string>>> {
  const read = async (table: string): Promise<[string, Set<string>]> => {
    const columns =
      table === 'accounts' ? 'id, name, password, disabled, policy, format_settings' : '*';
    const { results } = await db.prepare(`SELECT ${columns} FROM ${table}`).all();
    return [table, new Set(results.map((row) => JSON.stringify(row)))];
  };
  return new Map(await Promise.all(TABLES.map(read)));
}

const FEED = { preset: '', fixed: false, channelId: null, policy: '' };
/** A property of an account, which is written again. */
const P1 = [property('P1')];
const channelOf = ({ ids }: typeof own) => ids['channel one']!;
const lost = () => ({ id: own.ids.applying, lease: 'lost' }) as never;
const OTHER_FEED = { ...FEED, preset: 'FV=3', parameters: 'x' };

const WRITES: Readonly<Record<string, [() => Promise<unknown>, changed: Record<string, number>]>> =
  {
    'the password of an account': [
      () => updateAccount(db, own.id, { password: HASH }),
      { accounts: 1 },
    ],
    'settings of a format': [
      () => writeFormatSettings(db, own.id, 'kyero', 'a=b'),
      { accounts: 1 },
    ],
    'a client': [
      () => updateClient(db, own.id, `ROWS-${accounts}-one`, { disabled: true }),
      { clients: 1 },
    ],
    'a client that is deleted': [
      () => deleteClient(db, own.id, `ROWS-${accounts}-one`),
      { clients: 1 },
    ],
    'a client of another account': [() => deleteClient(db, own.id, `ROWS-${accounts + 1}-one`), {}],
    'the password of a person': [
      () => people.setPersonPassword(db, own.id, own.ids.one!, `${HASH}x`),
      { people: 1 },
    ],
    'a wrong code of a person': [
      () => people.countWrongCode(db, own.id, own.ids.one!),
      { people: 1 },
    ],
    'the role of a person': [
      () => people.setRole(db, own.id, own.ids.one!, 'editor'),
      { people: 1 },
    ],
    'the role of a person of another account': [
      () => people.setRole(db, own.id, other.ids.one!, 'editor'),
      {},
    ],
    'a person who is removed': [() => people.removePerson(db, own.id, own.ids.one!), { people: 1 }],
    'a person of another account who is removed': [
      () => people.removePerson(db, own.id, other.ids.one!),
      {},
    ],
    'a reader that is switched off': [
      () => readers.setReaderDisabled(db, own.one, true),
      { readers: 1 },
    ],
    'the preset of a reader': [
      () => readers.updateReader(db, own.one, FEED, OTHER_FEED, SOMEBODY),
      { readers: 1 },
    ],
    'the key of a reader': [
      () => readers.rotateKey(db, own.one, `${own.id}`.padStart(64, 'a'), 0),
      { reader_keys: 1 },
    ],
    'the old keys of a reader': [() => readers.revokeOldKeys(db, own.one), { reader_keys: 1 }],
    'a reader that is deleted': [
      () => readers.deleteReader(db, own.one),
      { readers: 1, reader_keys: 1 },
    ],
    'leaving a channel': [
      () => removeFromChannel(db, own.id, channelOf(own), ['P1'], SOMEBODY),
      { properties: 1 },
    ],
    'a deleted channel': [
      () => deleteChannel(db, own.id, channelOf(own), SOMEBODY),
      { channels: 1, properties: 2 },
    ],
    'a channel of another account': [
      () => deleteChannel(db, own.id, channelOf(other), SOMEBODY),
      {},
    ],
    'a property that is written': [
      () => writePortfolio(db, own.id, P1, { actor: SOMEBODY }),
      { properties: 1 },
    ],
    'a purged property': [
      () =>
        writePortfolio(db, own.id, P1, {
          actor: SOMEBODY,
          merge: () => undefined,
          purge: () => ['P1'],
        }),
      { properties: 1 },
    ],
    'an import that is approved': [
      () => imports.approveImport(db, own.id, own.ids.held!),
      { imports: 1 },
    ],
    'an import that is cancelled': [
      () => imports.cancelImport(db, own.id, own.ids.applying!, 1),
      { imports: 1 },
    ],
    'an import of another account': [() => imports.approveImport(db, own.id, other.ids.held!), {}],
    'an import whose file has arrived': [
      () => imports.markReceived(db, own.ids.receiving!, 1),
      { imports: 1 },
    ],
    'an import without its lease': [() => imports.updateRun(db, lost(), { bytes: 1 }), {}],
    'an import without a file': [
      () => imports.deleteReceiving(db, own.ids.receiving!),
      { imports: 1 },
    ],
    'an import that is not being received': [() => imports.deleteReceiving(db, own.ids.held!), {}],
    'a source': [
      () => putSource(db, own.one, { ...SOURCE, enabled: false }, null, 0),
      { sources: 1 },
    ],
    'a source that is deleted': [() => deleteSource(db, own.one), { sources: 1 }],
    'a webhook that is switched off': [
      () => webhooks.switchWebhook(db, own.one, false),
      { webhooks: 1 },
    ],
    'the secret of a webhook': [
      () => webhooks.rotateWebhook(db, own.one, 'sealed', 60, 1),
      { webhooks: 1 },
    ],
    'a webhook that begins again': [() => webhooks.replayWebhook(db, own.one, 1), { webhooks: 1 }],
    'a webhook that is deleted': [() => webhooks.deleteWebhook(db, own.one), { webhooks: 1 }],
  };

test.each(Object.entries(WRITES))(
  '%s: no other row changes, here or in another account',
  async (_, [write, changed]) => {
    const before = await readRows();
    await write();
    const after = await readRows();
    const differing = TABLES.map((table) => {
      const [old, now] = [before.get(table)!, after.get(table)!];
      return [table, [...old].filter((row) => !now.has(row)).length] as const;
    });
    expect(Object.fromEntries(differing.filter(([, rows]) => rows > 0))).toEqual(changed);
  },
);

test('lists of an account: its own rows only', async () => {
  const counted = { attemptedAt: 1, events: 0, milliseconds: 1 };
  const attempt = {
    ...counted,
    messageId: 'm',
    status: 200,
    error: null,
    reason: null,
    response: '',
  };
  const { results } = await db.prepare('SELECT id FROM webhooks').all<{ id: number }>();
  for (const { id } of results) await recordAttempt(db, id, attempt);
  const lists = {
    clients: listClients(db, own.id),
    people: people.listPeople(db, own.id),
    readers: readers.listReaders(db, own.id, null, 9),
    channels: listChannels(db, own.id, null, 9),
    sources: listSources(db, own.id, null, 9),
    webhooks: webhooks.listWebhooks(db, own.id, null, 9),
  };
  for (const rows of Object.values(lists)) expect(await rows).toHaveLength(2);
  expect(await webhooks.listAttempts(db, own.one)).toEqual([attempt]);
});
