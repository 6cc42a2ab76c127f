import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteChange } from '../command/ending.ts';
import { EXIT, Failure } from '../command/failure.ts';
import { exchange } from './exchange.ts';

/** A service and the operator's key for it. */
export interface Service {
  readonly origin: string;
  readonly key: string;
  /** Whether it is the one that `npm start` serves. */
  readonly isLocal: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
export type Body = any;

/** What the API responds: its body as JSON, `null` without one. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** A successful response whose body has not been read. */
interface Opened extends Omit<Answer, 'body'> {
  readonly body: IncomingMessage;
  text(): Promise<string>;
}

/** What is sent: JSON, or bytes of this media type. */
type Sent = object | { readonly stream: AsyncIterable<Uint8Array>; readonly type: string };

/** Milliseconds that a service may keep this waiting. */
const PATIENCE_MS = 60_000;

/** Milliseconds between two looks at something that takes long: few at first. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 500;

/** Looks in a row that may fail: the service may be deployed, or started again, in the meantime. */
const MAX_FAILURES = 5;

/** Where operations are watched. */
export const OPERATIONS = '/v1/operator/operations/';

/** Codes of the API that mean that the command line is wrong. */
const USAGE = ['invalid_fields', 'bad_parameter', 'database_not_found'];

/** Calls the API of a service as its operator; with an account, on that account. */
export class ServiceClient {
  readonly service: Service;
  readonly #account: string | undefined;
  readonly #patienceMs: number;

  constructor(service: Service, account?: string, patienceMs = PATIENCE_MS) {
    this.service = service;
    this.#account = account;
    this.#patienceMs = patienceMs;
  }

  on(account: string): ServiceClient {
    return new ServiceClient(this.service, account, this.#patienceMs);
  }

  /** @param path with its query, if any @throws Failure for every other response than a successful one */
  async call(method: string, path: string, sent?: Sent): Promise<Answer> {
    const { status, headers, text } = await this.open(method, path, sent);
    const body = await text();
    return { status, headers, body: body === '' ? null : JSON.parse(body) };
  }

  get = (path: string) => this.call('GET', path).then(({ body }) => body);
  post = (path: string, body?: Sent) => this.call('POST', path, body).then((answer) => answer.body);
  put = (path: string, body: object) => this.call('PUT', path, body).then((answer) => answer.body);
  patch = (path: string, body: object) =>
    this.call('PATCH', path, body).then((answer) => answer.body);
  delete = (path: string) => this.call('DELETE', path).then(({ body }) => body);

  async open(method: string, path: string, sent?: Sent): Promise<Opened> {
    const { origin, key, isLocal } = this.service;
    const url = new URL(path, origin);
    if (this.#account !== undefined && !path.startsWith('/v1/operator/')) {
      url.searchParams.set('account', this.#account);
    }
    const isStream = sent !== undefined && 'stream' in sent;
    const headers = {
      Authorization: `Bearer ${key}`,
      ...(sent !== undefined && { 'Content-Type': isStream ? sent.type : 'application/json' }),
    };
    // An upload that is interrupted leaves nothing.
    if (method !== 'GET' && !isStream) noteChange();
    const body = isStream ? sent.stream : sent && JSON.stringify(sent);
    const remedy = isLocal ? ' Start it with npm start.' : '';
    const response = await exchange(
      url,
      { method, headers, body },
      { patienceMs: this.#patienceMs, remedy },
    );
    const opened = {
      status: response.statusCode!,
      headers: response.headers,
      body: response,
      text: () => text(response),
    };
    if (opened.status < 200 || opened.status > 299) throw await failureOf(opened, url);
    return opened;
  }

  /** All entries of a list that the API returns in pages, and the name of the list. */
  async list(path: string): Promise<readonly [string, Body[]]> {
    const { body, headers } = await this.call('GET', path);
    const [name, entries] = Object.entries(body).find(([, value]) => Array.isArray(value)) as [
      string,
      Body[],
    ];
    const link = /^<([^>]*)>/.exec(String(headers.link ?? ''))?.[1];
    if (link === undefined) return [name, entries];
    // Never another address, to which the key would go.
    const { pathname, search } = new URL(link, this.service.origin);
    const [, others] = await this.list(pathname + search);
    return [name, [...entries, ...others]];
  }

  /**
   * Looks at something that takes long until it has ended.
   *
   * @param onProgress called with each state that is not the last
   */
  async watch(
    path: string,
    isOver: (state: Body) => boolean,
    onProgress: (state: Body) => void,
  ): Promise<Body> {
    let failures = 0;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
      try {
        const state = await this.get(path);
        failures = 0;
        if (isOver(state)) return state;
        onProgress(state);
      } catch (error) {
        const isPassing =
          error instanceof Failure && ['no_service', 'unavailable'].includes(error.code);
        if (!isPassing || ++failures === MAX_FAILURES) throw error;
      }
      await sleep(pause);
    }
  }

  /** Waits for the end of an operation that has started. @throws Failure if it fails */
  async ended({ id }: Body, onProgress: (detail: string) => void): Promise<Body> {
    noteChange('The service continues: the same command shows how far it has come.');
    const isOver = ({ state }: Body) => state === 'finished' || state === 'failed';
    let shown = '';
    const ended = await this.watch(`${OPERATIONS}${id}`, isOver, ({ detail }) => {
      if (detail !== shown) onProgress(detail);
      shown = detail;
    });
    if (ended.state === 'failed') throw new Failure('operation_failed', ended.detail);
    return ended;
  }
}

async function failureOf(
  { status, headers, text }: Opened,
  { origin, pathname }: URL,
): Promise<Failure> {
  const body = await text();
  if (!(headers['content-type'] ?? '').includes('json')) {
    return new Failure('refused', `${origin} responded with ${status}: ${body.slice(0, 200)}`);
  }
  const { code, detail, errors = [] } = JSON.parse(body) as Body;
  if (code === 'not_found' && pathname.startsWith('/v1/operator/')) {
    return new Failure(
      'no_operator',
      `${origin} has no routes for operators: its setting OPERATOR_KEY is missing.`,
    );
  }
  if (code === 'invalid_token')
    return new Failure('wrong_key', `${origin} does not accept the operator's key.`);
  const fields = errors
    .map((error: Body) => `${error.pointer.slice(1)}: ${error.detail}`)
    .join('\n');
  return new Failure(
    code ?? 'refused',
    fields || detail || String(status),
    USAGE.includes(code) ? EXIT.usage : EXIT.failed,
  );
}
