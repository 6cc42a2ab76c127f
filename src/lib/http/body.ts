/** How much of the rest of a request's body is read to discard it, and how long its response waits for that. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const MAX_DRAIN_MS = 1_000;

/** Why the body could not be read. */
export class BodyError extends Error {
  readonly reason: 'too large' | 'incomplete';

  constructor(reason: BodyError['reason']) {
    super(`The body is ${reason}`);
    this.reason = reason;
  }
}

/** The body of a request; a BodyError if it has more bytes, or if the sender disconnected. */
export async function readBody({ body, headers }: Request, maxBytes: number): Promise<ArrayBuffer> {
  if (Number(headers.get('Content-Length')) > maxBytes) throw new BodyError('too large');
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for await (const chunk of body?.values({ preventCancel: true }) ?? []) {
      length += chunk.length;
      if (length > maxBytes) throw new BodyError('too large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof BodyError ? error : new BodyError('incomplete');
  }
  return new Blob(chunks).arrayBuffer();
}

/** Whether the request's body has a content coding (RFC 9110 section 8.4); none is accepted here. */
export function isEncoded({ headers }: Request): boolean {
  return !['', 'identity'].includes(headers.get('Content-Encoding')?.trim().toLowerCase() ?? '');
}

/**
 * Reads and discards the rest of a request's body. Otherwise workerd closes the connection, and the caller loses this
 * response or the next one.
 */
export async function discardBody({ body }: Request): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > MAX_DRAINED_BYTES) return;
    }
  } catch {
    // The body is being read, or the sender disconnected and awaits no response.
  }
}

/**
 * Discards the rest of a request's body before its response is sent, but does not keep a slow sender waiting for the response:
 * if the rest takes long, it is discarded in the background. workerd then closes the connection after the response.
 */
export async function drainBody(
  request: Request,
  context: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  if (request.body === null || request.body.locked) return;
  const end = new AbortController();
  const drained = discardBody(request).finally(() => end.abort());
  context.waitUntil(drained);
  await scheduler.wait(MAX_DRAIN_MS, { signal: end.signal }).catch(() => {});
}
