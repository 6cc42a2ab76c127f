import { deleteReader } from '../../db/readers/readers.ts';
import { Api } from '../../http/api.ts';
import { empty, json, ok } from '../../http/operation.ts';
import { NOT_CACHED } from '../../http/page.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { changeReader } from './change-reader.ts';
import { changing, channelIdOf, currentReader, invalid, invalidPreset, readerNotFound } from './current.ts';
import { AT_READER, IDEALISTA, NO_READER } from './examples.ts';
import { byReader, NOTHING_IS_FIXED, readerChangeBody, readerWithFeeds } from './schemas.ts';

const READER = '/v1/readers/{reader}';

/** Changes what readers get, and deletes them. */
export const readerChanges = new Api('Readers');

readerChanges.operation(
  {
    method: 'patch',
    path: READER,
    operationId: 'changeReader',
    summary: 'Change what a reader gets',
    description:
      'Its preset, whether that is fixed, its channel, and what it may see; a field that is not given stays. Its feed shows the change ' +
      'within a second; its keys stay as they are.',
    middleware: requireScope('readers:write'),
    limited: true,
    request: { params: byReader, body: json(readerChangeBody, 16 * 1024) },
    responses: { 200: ok(readerWithFeeds, 'The reader’s current state.') },
    problems: {
      reader_not_found: NO_READER,
      invalid_fields: {
        request: { ...AT_READER, body: { preset: 'FV=9' } },
        errors: [{ pointer: '/preset', detail: "FV is '9'; allowed: 1, 2, 3" }],
      },
    },
    examples: {
      changed: {
        request: { ...AT_READER, body: { preset: 'FV=3&T=RENT' } },
        body: { ...IDEALISTA, preset: 'FV=3&T=RENT' },
      },
    },
  },
  async (c) => {
    const name = c.req.valid('param').reader;
    const { channel, preset, fixed, ...policy } = c.req.valid('json');
    const change = {
      ...(preset !== undefined && { preset }),
      ...(fixed !== undefined && { fixed }),
      ...policy,
      ...(channel !== undefined && { channelId: await channelIdOf(c, channel) }),
    };
    const address = { accountId: c.var.caller.accountId, name };
    const result = await changing(c, changeReader(c.env.DB, address, change));
    if (result === 'not found') throw readerNotFound(name);
    if (result === 'nothing is fixed') throw invalid(NOTHING_IS_FIXED);
    if (result !== 'changed') throw invalidPreset(result.errors);
    return c.json(await currentReader(c, name), 200, NOT_CACHED);
  },
);

readerChanges.operation(
  {
    method: 'delete',
    path: READER,
    operationId: 'deleteReader',
    summary: 'Delete a reader',
    description: 'Its keys are rejected within a second.',
    middleware: requireScope('readers:write'),
    limited: true,
    request: { params: byReader },
    responses: { 204: empty('The reader is deleted.') },
    problems: { reader_not_found: NO_READER },
    examples: { deleted: { request: AT_READER } },
  },
  async (c) => {
    const name = c.req.valid('param').reader;
    const existed = await changing(c, deleteReader(c.env.DB, { accountId: c.var.caller.accountId, name }));
    if (!existed) throw readerNotFound(name);
    return c.body(null, 204);
  },
);
