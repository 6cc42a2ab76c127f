import { concatenate } from './bytes.ts';

/** Bytes that are thrown away of a body at most. */
const MAX_DISCARDED = 16 * 1024 * 1024;

/** Why a body is not there. */
export class BodyError extends Error {
  override readonly name = 'BodyError';

  constructor(readonly why: 'too large' | 'broken off') {
    super(`The body is ${why}`);
  }
}

/**
 * The body of a request.
 *
 * @param most bytes that it may have
 * @throws BodyError where it has more, or its sender is gone
 */
export async function readBody(request: Request, most: number): Promise<ArrayBuffer> {
  const stated = request.headers.get('Content-Length');
  if (Number(stated) > most) throw new BodyError('too large');
  try {
    return stated === null ? await readPieces(request, most) : await request.arrayBuffer();
  } catch (error) {
    throw error instanceof BodyError ? error : new BodyError('broken off');
  }
}

async function readPieces({ body }: Request, most: number): Promise<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body?.values({ preventCancel: true }) ?? []) {
    length += piece.length;
    if (length > most) throw new BodyError('too large');
    pieces.push(piece);
  }
  return concatenate(pieces).buffer;
}

/** Whether a request says that its body is encoded (RFC 9110 section 8.4); no body that is read here may be. */
export function isEncoded({ headers }: Request): boolean {
  return !['', 'identity'].includes(headers.get('Content-Encoding')?.trim().toLowerCase() ?? '');
}

/**
 * Reads what is left of a request's body, and throws it away. workerd ends a connection whose last request was answered
 * half read: its caller loses that answer, or the next one.
 */
export async function discardBody({ body }: Request): Promise<void> {
  if (body === null || body.locked) return;
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      if (length > MAX_DISCARDED) return;
    }
  } catch {
    // Its sender is gone, and waits for no answer.
  }
}
