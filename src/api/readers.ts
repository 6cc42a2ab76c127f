import type { DocumentedResponse, ExampleRequest, Operation, Parameter } from './operation.ts';
import { LOGGED, methodNotAllowed, problem, RETRY, tokenProblems } from './problems.ts';
import { badPage, invalidFields, JSON_TYPE, ok, PAGE, tooManyChanges, withBody } from './responses.ts';
import { newReader, readerChange, readerRotation, readers, readerWithFeeds, readerWithKey } from './schemas/readers.ts';

const READERS = '/v1/readers';
const READER = `${READERS}/{reader}`;
const MAX_KIBIBYTES = 16;

const NAME: Parameter = {
  name: 'reader',
  in: 'path',
  required: true,
  description: 'The reader’s name.',
  schema: { type: 'string', minLength: 1 },
  example: 'idealista',
};

const AT = { path: { reader: 'idealista' } };
const MISSING = { path: { reader: 'nobody' } };

const CREATED_AT = '2026-11-22T09:30:00Z';
const EXPIRES_AT = '2026-12-06T09:30:00Z';
const KEY = 'lindero_0123456789abcdefghijklmnopqrstuv';

const SUMMARY = {
  name: 'idealista',
  preset: 'FV=3&T=SALE',
  fixed: true,
  channel: null,
  disabled: false,
  created_at: CREATED_AT,
  keys: 1,
  old_keys_expire_at: null,
  last_visit_at: null,
  last_delivery_at: null,
  usual_interval: null,
  late: false,
};

const IDEALISTA = { ...SUMMARY, feeds: [] };
const CREATION = { body: { name: 'idealista', preset: 'FV=3&T=SALE', fixed: true } };
const CHANGE = { ...AT, body: { preset: 'FV=3&T=RENT' } };
const ROTATION = { ...AT, body: { old_key_days: 14 } };

function noReader(request: ExampleRequest): DocumentedResponse {
  return problem('reader_not_found', 'the account has no such reader.', 'The account has no reader "nobody".', {
    name: 'readerNotFound',
    request,
  });
}

/** An operation without a body that changes a reader and responds with its current state. */
function change(operation: string, id: string, summary: string, description: string, after: object): Operation {
  return {
    path: `${READER}/${operation}`,
    method: 'post',
    id,
    tag: 'Readers',
    summary,
    description,
    security: ['readersWrite'],
    parameters: [NAME],
    responses: [
      ok([], {
        description: 'The reader’s current state.',
        content: { mediaType: JSON_TYPE, schema: readerWithFeeds },
        examples: [{ name: operation, request: AT, body: { ...IDEALISTA, ...after } }],
      }),
      ...tokenProblems('readers:write', AT, RETRY),
      tooManyChanges(AT),
      noReader(MISSING),
      methodNotAllowed('POST', AT),
    ],
  };
}

/** Operations of readers. */
export const READER_OPERATIONS: readonly Operation[] = [
  {
    path: READERS,
    method: 'post',
    id: 'createReader',
    tag: 'Readers',
    summary: 'Create a reader',
    description:
      'A portal or program that fetches the account’s feed, with a key that it uses in place of the account’s password. ' +
      'The response contains the key; no later one does.',
    security: ['readersWrite'],
    body: { schema: newReader, mediaTypes: [JSON_TYPE] },
    responses: [
      {
        status: 201,
        description: 'The reader with its key.',
        headers: ['Cache-Control', 'Location', ...LOGGED],
        content: { mediaType: JSON_TYPE, schema: readerWithKey },
        examples: [{ name: 'created', request: CREATION, body: { ...IDEALISTA, key: KEY } }],
      },
      ...tokenProblems('readers:write', CREATION, RETRY),
      ...withBody({ body: { name: 'fotocasa' } }, MAX_KIBIBYTES),
      problem('reader_in_use', 'the name is in use.', 'The account already has a reader idealista.', {
        name: 'readerInUse',
        request: CREATION,
      }),
      invalidFields(
        { body: { name: 'fotocasa', presets: 'FV=3' } },
        { pointer: '/presets', detail: 'is not a known field' },
      ),
    ],
  },
  {
    path: READERS,
    method: 'get',
    id: 'listReaders',
    tag: 'Readers',
    summary: 'List readers',
    description: 'Ordered by name. HEAD works as well.',
    security: ['readersRead'],
    parameters: PAGE,
    responses: [
      ok(['Link'], {
        description: 'The account’s readers.',
        content: { mediaType: JSON_TYPE, schema: readers },
        examples: [{ name: 'readers', body: { readers: [SUMMARY] } }],
      }),
      badPage({}),
      ...tokenProblems('readers:read', {}, RETRY),
      methodNotAllowed('GET, HEAD, POST', {}, 'PUT'),
    ],
  },
  {
    path: READER,
    method: 'get',
    id: 'getReader',
    tag: 'Readers',
    summary: 'Get a reader',
    description: 'With what it was given of each feed that it has requested. HEAD works as well.',
    security: ['readersRead'],
    parameters: [NAME],
    responses: [
      ok([], {
        description: 'The reader.',
        content: { mediaType: JSON_TYPE, schema: readerWithFeeds },
        examples: [{ name: 'reader', request: AT, body: IDEALISTA }],
      }),
      ...tokenProblems('readers:read', AT, RETRY),
      noReader(MISSING),
      methodNotAllowed('GET, HEAD, PATCH, DELETE', AT, 'PUT'),
    ],
  },
  {
    path: `${READER}/rotate`,
    method: 'post',
    id: 'rotateReader',
    tag: 'Readers',
    summary: 'Create another key',
    description: 'The old keys stay valid for `old_key_days` days, 14 unless stated, or until they are revoked.',
    security: ['readersWrite'],
    parameters: [NAME],
    body: { schema: readerRotation, mediaTypes: [JSON_TYPE] },
    responses: [
      ok([], {
        description: 'The reader with its new key.',
        content: { mediaType: JSON_TYPE, schema: readerWithKey },
        examples: [
          {
            name: 'rotated',
            request: ROTATION,
            body: { ...IDEALISTA, keys: 2, old_keys_expire_at: EXPIRES_AT, key: KEY },
          },
        ],
      }),
      ...tokenProblems('readers:write', ROTATION, RETRY),
      ...withBody(ROTATION, MAX_KIBIBYTES),
      noReader({ ...MISSING, body: {} }),
      methodNotAllowed('POST', AT),
      invalidFields(
        { ...AT, body: { old_key_days: 366 } },
        { pointer: '/old_key_days', detail: 'must be an integer from 0 to 365' },
      ),
    ],
  },
  change('revoke', 'revokeOldKeys', 'Revoke old keys', 'All but the newest are rejected within a second.', {}),
  change('disable', 'disableReader', 'Disable a reader', 'Its keys are rejected within a second.', { disabled: true }),
  change('enable', 'enableReader', 'Enable a reader', 'Its keys are accepted again.', {}),
  {
    path: READER,
    method: 'patch',
    id: 'changeReader',
    tag: 'Readers',
    summary: 'Change what a reader gets',
    description:
      'Its preset, whether that is fixed, and its channel; a field that is not given stays. Its feed shows the change ' +
      'within a second; its keys stay as they are.',
    security: ['readersWrite'],
    parameters: [NAME],
    body: { schema: readerChange, mediaTypes: [JSON_TYPE] },
    responses: [
      ok([], {
        description: 'The reader’s current state.',
        content: { mediaType: JSON_TYPE, schema: readerWithFeeds },
        examples: [{ name: 'changed', request: CHANGE, body: { ...IDEALISTA, preset: 'FV=3&T=RENT' } }],
      }),
      ...tokenProblems('readers:write', CHANGE, RETRY),
      ...withBody(CHANGE, MAX_KIBIBYTES),
      noReader({ ...MISSING, body: {} }),
      invalidFields({ ...AT, body: { preset: 'FV=9' } }, { pointer: '/preset', detail: "FV is '9'; allowed: 1, 2, 3" }),
    ],
  },
  {
    path: READER,
    method: 'delete',
    id: 'deleteReader',
    tag: 'Readers',
    summary: 'Delete a reader',
    description: 'Its keys are rejected within a second.',
    security: ['readersWrite'],
    parameters: [NAME],
    responses: [
      {
        status: 204,
        description: 'The reader is deleted.',
        headers: LOGGED,
        examples: [{ name: 'deleted', request: AT }],
      },
      ...tokenProblems('readers:write', AT, RETRY),
      tooManyChanges(AT),
      noReader(MISSING),
    ],
  },
];
