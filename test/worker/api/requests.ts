import { PICTURE } from '../../../src/pictures/examples.ts';
import { VILLA } from '../../../src/properties/api/examples.ts';
import { HEIC, png } from '../../support/documents/pictures.ts';

/** The request that leads to a documented response: how it differs from the usual one. */
export interface Cause {
  /** Values of the path's parameters; their examples unless given. */
  readonly path?: Readonly<Record<string, string>>;
  /** A list is a parameter that is repeated. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; a string, or bytes, are sent as they are. */
  readonly body?: unknown;
  /** The media type of the body; the operation's first one unless given. */
  readonly mediaType?: string;
  /** The operation's unless given. */
  readonly method?: string;
  /** A state that no request describes; the test sets it up. */
  readonly when?: string | undefined;
  /** The status of a response whose body the document does not show. */
  readonly status?: number;
}

/** What leads to the errors that many operations have, by the name of their examples. */
export const CAUSES: Readonly<Record<string, Cause>> = {
  missingToken: { when: 'no credentials' },
  invalidToken: { headers: { Authorization: 'Bearer no-token' } },
  insufficientScope: { when: 'the token lacks the scope' },
  tooManyRequests: { when: 'a rate limit is exceeded' },
  unavailable: { when: 'the database fails' },
  internal: { when: 'an unexpected error' },
  notModified: { when: 'unchanged since the last request' },
  notJson: { body: '{"UntName": "A-101",' },
  unsupportedMediaType: { mediaType: 'text/plain' },
  invalidFields: { body: null },
  badParameter: { query: { limit: '0' } },
  propertyNotFound: { path: { id: 'R0' } },
  accountNotFound: { path: { account: 'NOBODY' } },
  clientNotFound: { path: { client: 'nobody' } },
  databaseNotFound: { path: { database: 'DB_32' } },
  operationNotFound: { path: { operation: '999999' } },
  developmentNotFound: { path: { development_id: 'elsewhere' } },
  unitNotFound: { path: { name: 'Z-999' } },
  importNotFound: { path: { import_id: '999999' } },
  readerNotFound: { path: { reader: 'nothing' } },
  channelNotFound: { path: { channel: 'nothing' } },
  formatNotFound: { path: { format: 'kyero' } },
  webhookNotFound: { path: { webhook: 'nothing' } },
  sourceNotFound: { path: { source: 'nothing' } },
  nameNotFound: { path: { name: 'nothing' } },
};

const CLIENT = { client_id: 'demo-client', client_secret: 'demo-secret' };
const GRANT = { grant_type: 'client_credentials', ...CLIENT };

const OWN_NAME = { when: 'the account has a name of its own' };
const RULED_NAME = { when: 'rules of a reader have the name' };

const PASSWORD = { U: 'OWNPROPERTIES@DEMO', P: 'demo' };

const FEED_ERRORS = {
  badCredentials: { query: { P: 'wrong' } },
  noAcceptableEncoding: { headers: { 'Accept-Encoding': 'br, *;q=0' } },
  preconditionFailed: { headers: { 'If-Match': '"other"' } },
  tooManyAttempts: { query: { P: 'wrong again' }, when: 'a rate limit is exceeded' },
  // With other parameters than any feed that the isolate has served.
  unavailable: { query: { IC: '1' } },
  internal: { query: { IC: '2' } },
};

const UPDATE = {
  UntName: 'A-101',
  UntStatus: 8,
  UntPrice: 325_000,
  UntDirections: [['S', 'SE']],
};
const OUTDATED = { headers: { 'If-Match': '"1"' } };
const PHOTOGRAPHED = { id: 'CS-4001' };
const WITH_PICTURE = { path: PHOTOGRAPHED, when: 'the property has the picture' };
const HELD = { when: 'the import is held' };
const BAD_IMPORT = { path: { import_id: 'x' } };
const WRONG_PASSWORD = {
  headers: { Authorization: 'Basic T1dOUFJPUEVSVElFU0BERU1POndyb25n' },
};

/**
 * What the requests of examples have besides the bodies that the document shows, by operation and
 * example. `usual` is part of all requests to an operation.
 */
export const REQUESTS: Readonly<Record<string, Readonly<Record<string, Cause>>>> = {
  getFeed: {
    ...FEED_ERRORS,
    usual: { query: { ...PASSWORD, FV: '3', Language: '1' } },
    page2: { query: { P_PageNo: '2' } },
    badParameter: { query: { FV: '4' } },
    unsupportedParameter: { query: { N: '1' } },
  },
  getKyeroFeed: {
    ...FEED_ERRORS,
    usual: { query: PASSWORD },
    badParameter: { query: { IC: 'all' } },
    unsupportedParameter: { query: { FV: '3' } },
  },
  getIdealistaFeed: {
    ...FEED_ERRORS,
    usual: { query: { ...PASSWORD, CustomerCode: `ilc${'a1'.repeat(20)}` } },
    badParameter: { query: { CustomerCode: '' } },
  },
  requestToken: {
    invalidRequest: { body: { grant_type: '', ...CLIENT } },
    unsupportedGrantType: { body: { grant_type: 'password', ...CLIENT } },
    invalidScope: { body: { ...GRANT, scope: 'units:delete' } },
    invalidClient: { body: { ...GRANT, client_secret: 'wrong' } },
    bodyTooLarge: { body: { padding: 'x'.repeat(16 * 1024) } },
    tooManyTokens: { when: 'a rate limit is exceeded' },
  },
  getReport: {
    usual: { query: { rule: 'description_under_30_characters' } },
    badParameter: { query: { severity: 'fatal' } },
    badCredentials: WRONG_PASSWORD,
    tooManyRequests: WRONG_PASSWORD,
  },
  updateUnitByName: {
    unitNotFound: { body: { ...UPDATE, UntName: 'Z-999' } },
    preconditionFailed: { ...OUTDATED, body: { ...UPDATE, UntStatus: 1, UntPrice: 315_000 } },
    invalidFields: { body: { UntName: 'A-101', UntStatus: 3, UntPrice: 325_000 } },
  },
  updateManyUnits: {
    preconditionFailed: { ...OUTDATED, body: [] },
    invalidFields: { body: UPDATE },
  },
  putDevelopment: {
    created: { path: { development_id: 'mar-verde' } },
    invalidFields: { body: {} },
  },
  deleteDevelopment: {
    usual: { path: { development_id: 'mar-verde' } },
    unitInUse: { path: { development_id: 'sol-azul' }, when: 'a property is a unit' },
  },
  putUnit: {
    usual: { path: { name: 'A-101' } },
    created: { status: 201, path: { name: 'A-103' } },
    preconditionFailed: { headers: { 'If-None-Match': '*' } },
    invalidFields: { body: { UntStatus: 3, UntPrice: 1 } },
  },
  deleteUnit: {
    usual: { path: { name: 'A-103' } },
    preconditionFailed: { headers: { 'If-Match': '"0"' }, path: { name: 'A-102' } },
    unitInUse: { path: { name: 'A-102' }, when: 'a property is a unit' },
  },
  listUnits: { firstPage: { query: { limit: '1' } } },
  getUnit: {
    notModified: { headers: { 'If-None-Match': '"2"' }, when: undefined },
    preconditionFailed: OUTDATED,
  },
  listProperties: {
    properties: { status: 200 },
    withdrawn: { status: 200, query: { status: 'Withdrawn' } },
  },
  writeProperties: {
    badParameter: { query: { atomic: 'yes' } },
    invalidFields: { body: { operations: [] } },
  },
  putProperty: {
    usual: { path: { id: 'CS-2001' } },
    created: { status: 201 },
    replaced: { status: 200, path: { id: 'CS-2002' } },
    preconditionFailed: { headers: { 'If-None-Match': '*' } },
    invalidFields: { body: { ...VILLA, beds: -1, colour: 'white' } },
  },
  patchProperty: {
    preconditionFailed: { body: { beds: 7 }, headers: { 'If-Match': '"0"' } },
    invalidFields: { body: { town: null } },
  },
  deleteProperty: {
    withdrawn: { status: 204, path: { id: 'CS-2001' } },
    removed: { status: 204, path: { id: 'CS-2001' }, query: { purge: 'true' } },
    badParameter: { query: { purge: 'yes' } },
    preconditionFailed: { headers: { 'If-Match': '"0"' } },
  },
  addPictures: {
    usual: {
      path: PHOTOGRAPHED,
      mediaType: 'image/png',
      body: png(PICTURE.width, PICTURE.height),
      when: 'the property has no pictures',
    },
    badParameter: { query: {}, mediaType: 'multipart/form-data; boundary=x', body: '--x\r\n' },
    tooManyPictures: { when: 'the property has too many pictures' },
    pictureTooLarge: { headers: { 'Content-Length': '30000001' } },
    pictureFormat: { body: 'This is no picture.' },
    pictureNotJpeg: { when: 'the Images binding is off' },
    pictureHeicNotRead: { body: HEIC },
    pictureDamaged: { body: png(90, 60).slice(0, -20) },
    pictureTooManyPixels: { body: png(12_001, 1) },
  },
  listPictures: { usual: WITH_PICTURE },
  orderPictures: {
    usual: WITH_PICTURE,
    pictureNotFound: { when: 'the property has no pictures' },
    invalidFields: { body: { pictures: [1] } },
  },
  copyPictures: {
    copying: { path: PHOTOGRAPHED, when: 'the property has a picture elsewhere' },
    none: WITH_PICTURE,
  },
  deletePicture: {
    usual: WITH_PICTURE,
    pictureNotFound: { path: { digest: '0'.repeat(32) } },
  },
  createImport: {
    received: { query: { replace: 'true' } },
    badParameter: { query: { max_withdrawn: '101' } },
    tooManyImports: { when: 'the account has too many imports' },
    invalidFields: { body: { url: 'https://10.0.0.1/feed.xml' } },
  },
  listImports: { imports: { status: 200, query: { limit: '1' } } },
  getImport: { import: HELD, badParameter: BAD_IMPORT },
  approveImport: { approved: HELD, badParameter: BAD_IMPORT, wrongState: {} },
  cancelImport: { cancelled: HELD, badParameter: BAD_IMPORT, wrongState: {} },
  putSource: {
    usual: { path: { source: 'crm-2' } },
    changed: { path: { source: 'crm' }, when: 'the source exists' },
    badParameter: { path: { source: 'CRM!' } },
    invalidFields: {
      body: { url: 'https://crm.example.com/', every: 'day', at: '24:00', time_zone: 'Madrid' },
    },
    tooManySources: { path: { source: 'one-more' }, when: 'the account has too many sources' },
  },
  runSource: { wrongState: {} },
  mergeNames: {
    usual: OWN_NAME,
    merged: OWN_NAME,
    invalidFields: { body: { into: 'Nothing like it' }, ...OWN_NAME },
    nameInUse: RULED_NAME,
  },
  deleteName: {
    usual: OWN_NAME,
    deleted: { status: 204, ...OWN_NAME },
    nameInUse: RULED_NAME,
  },
  listChanges: {
    cursorExpired: { query: { after: 'MS4wLjAucC0w' } },
    badCredentials: WRONG_PASSWORD,
  },
  listUnitChanges: {
    changes: { query: { limit: '1' } },
    cursorExpired: { query: { after: 'MS4wLjAudS0w' } },
  },
  putWebhook: {
    usual: { path: { webhook: 'crm-2' } },
    changed: { path: { webhook: 'crm' }, when: 'the webhook exists' },
    badParameter: { path: { webhook: 'CRM!' } },
    invalidFields: { body: { url: 'https://192.168.1.1/' } },
    tooManyWebhooks: { path: { webhook: 'one-more' }, when: 'the account has too many webhooks' },
  },
  createReader: {
    readerInUse: { body: { name: 'idealista' } },
    invalidFields: { body: { name: 'fotocasa', presets: 'FV=3' } },
  },
  changeReader: { invalidFields: { body: { preset: 'FV=9' } } },
  listReaderVisits: { visits: { when: 'the reader has been answered' } },
  getPropertyDeliveries: {
    deliveries: { when: 'the reader exists' },
    propertyNotFound: { path: { property: 'R0' } },
  },
  addToChannel: { badParameter: { path: { channel: 'CRM!' } } },
  deleteChannel: {
    usual: { path: { channel: 'inland' } },
    deleted: { status: 204, when: 'the channel exists' },
    channelInUse: { path: { channel: 'sea-views' }, when: 'a reader has the channel' },
  },
  createAccount: { accountInUse: { body: { code: 'demo' } } },
  deleteAccount: {
    started: { status: 202, when: 'the account is disabled' },
    accountEnabled: {},
    accountMoving: { when: 'the account is being moved' },
  },
  moveAccount: {
    accountDeleting: { when: 'the account is being deleted' },
    databaseNotFound: { body: { to: 'DB_32' } },
  },
  createClient: { clientInUse: { body: { client_id: 'demo-client' } } },
  rotateClient: { usual: { path: { client: 'crm' } } },
  deleteClient: { usual: { path: { client: 'crm' } } },
  getOperation: { operation: { status: 200, when: 'there is an operation' } },
  restoreAccount: {
    restored: { status: 202, when: 'there is a backup' },
    backupNotFound: { body: { day: '2026-01-01' } },
  },
  getHealth: {
    ok: { when: 'no credentials' },
    missingToken: { headers: { Authorization: 'Basic bm9ib2R5Og==' } },
  },
  getSchema: { notFound: { path: { name: 'feed-v9.xsd' } } },
};
