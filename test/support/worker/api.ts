import { env } from 'cloudflare:workers';
import type { Env } from '../../../src/env.ts';
import { ask } from './ask.ts';

/** A response of the API with its body parsed, `null` if it is empty. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each response has members of its own
  readonly body: any;
}

/** Sends a request to the API, with a body of JSON if there is one, unless it is a file. */
export async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
  bindings: Env = env,
): Promise<Answer> {
  const isFile =
    typeof body === 'string' || body instanceof ReadableStream || body instanceof Uint8Array;
  const sent = isFile ? (body as BodyInit) : JSON.stringify(body);
  const init = { method, headers, ...(body === undefined ? {} : { body: sent }) };
  const { status, headers: received, text } = await ask(path, init, bindings);
  return { status, headers: received, body: text === '' ? null : JSON.parse(text) };
}
