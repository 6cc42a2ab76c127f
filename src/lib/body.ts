import { concatenate } from './bytes.ts';

/** Bytes beyond its limit that are read of a body: a caller hears why it is refused only once it has sent all. */
const MOST_DISCARDED = 16 * 1024 * 1024;

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
 * One that turns out too large on its way is read on and thrown away: where a request is left half read, `wrangler dev`
 * loses the answer, and the answer to the next request too.
 *
 * @param most bytes that it may have
 * @throws BodyError where it has more, or its sender is gone
 */
export async function readBody(request: Request, most: number): Promise<ArrayBuffer> {
  if (Number(request.headers.get('Content-Length') ?? 0) > most) throw new BodyError('too large');
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of request.body ?? []) {
      length += piece.length;
      if (length <= most) pieces.push(piece);
      else if (length > most + MOST_DISCARDED) break;
    }
  } catch {
    throw new BodyError('broken off');
  }
  if (length > most) throw new BodyError('too large');
  return concatenate(pieces).buffer;
}
