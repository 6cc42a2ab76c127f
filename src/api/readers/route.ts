import { readerPolicyOf } from '../../db/accounts/accounts.ts';
import { createReader, listReaders } from '../../db/readers/readers.ts';
import { Api } from '../../http/api.ts';
import { json, ok } from '../../http/operation.ts';
import { NOT_CACHED, pageOf, pageQuery, REVALIDATED } from '../../http/page.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { changedPolicy } from '../../portfolio/policy.ts';
import { ProblemError } from '../../problem.ts';
import { changing, channelIdOf, currentReader, invalidPreset } from './current.ts';
import { AT_READER, IDEALISTA, KEY, NO_READER, SUMMARY } from './examples.ts';
import { newReader } from './new-reader.ts';
import { byReader, newReaderBody, readersPage, readerWithFeeds, readerWithKey } from './schemas.ts';
import { readerViews } from './view.ts';

const READERS = '/v1/readers';
const READER = `${READERS}/{reader}` as const;
const MAX_BYTES = 16 * 1024;

/** Manages the readers of the account that the token belongs to. */
export const readers = new Api('Readers');

readers.operation(
  {
    method: 'post',
    path: READERS,
    operationId: 'createReader',
    summary: 'Create a reader',
    description:
      'A portal or program that fetches the account’s feed, with a key that it uses instead of the account’s password. ' +
      'The response contains the key; no later one does.',
    middleware: requireScope('readers:write'),
    limited: true,
    request: { body: json(newReaderBody, MAX_BYTES) },
    responses: { 201: ok(readerWithKey, 'The reader with its key.', 'Location') },
    problems: {
      reader_in_use: {
        description: 'the name is in use.',
        detail: 'The account already has a reader idealista.',
        request: { body: { name: 'idealista' } },
      },
      invalid_fields: {
        request: { body: { name: 'fotocasa', presets: 'FV=3' } },
        errors: [{ pointer: '/presets', detail: 'is not a known field' }],
      },
    },
    examples: {
      created: {
        request: { body: { name: 'idealista', preset: 'FV=3&T=SALE', fixed: true } },
        body: { ...IDEALISTA, key: KEY },
      },
    },
  },
  async (c) => {
    const { channel, withhold, place, kind, ...others } = c.req.valid('json');
    const { accountId } = c.var.caller;
    const channelId = await channelIdOf(c, channel);
    const ofAccount = await readerPolicyOf(c.env.DB, accountId);
    const policy = changedPolicy(ofAccount, { withhold, place, kind });
    const created = newReader({ ...others, accountId, channelId, policy });
    if ('errors' in created) throw invalidPreset(created.errors);
    const { reader, key } = created;
    if (!(await changing(c, createReader(c.env.DB, reader)))) {
      throw new ProblemError({ code: 'reader_in_use', detail: `The account already has a reader ${reader.name}.` });
    }
    const headers = { ...NOT_CACHED, Location: `${READERS}/${reader.name}` };
    return c.json({ ...(await currentReader(c, reader.name)), key }, 201, headers);
  },
);

readers.operation(
  {
    method: 'get',
    path: READERS,
    operationId: 'listReaders',
    summary: 'List readers',
    description: 'Ordered by name. HEAD works as well.',
    middleware: requireScope('readers:read'),
    request: { query: pageQuery },
    responses: { 200: ok(readersPage, 'The account’s readers.', 'Link') },
    examples: { readers: { body: { readers: [SUMMARY] } } },
  },
  async (c) => {
    const page = c.req.valid('query');
    const { accountId } = c.var.caller;
    const found = await listReaders(c.env.DB, accountId, page.cursor, page.limit + 1);
    const now = Math.floor(Date.now() / 1_000);
    const views = await readerViews(c.env.DB, accountId, found, now);
    const { entries, headers } = pageOf(c.req.url, page, views, (last) => last.name);
    return c.json({ readers: entries }, 200, headers);
  },
);

readers.operation(
  {
    method: 'get',
    path: READER,
    operationId: 'getReader',
    summary: 'Get a reader',
    description: 'With what it was given of each feed that it has requested. HEAD works as well.',
    middleware: requireScope('readers:read'),
    request: { params: byReader },
    responses: { 200: ok(readerWithFeeds, 'The reader.') },
    problems: { reader_not_found: NO_READER },
    examples: { reader: { request: AT_READER, body: IDEALISTA } },
  },
  async (c) => c.json(await currentReader(c, c.req.valid('param').reader), 200, REVALIDATED),
);
