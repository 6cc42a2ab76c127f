import { concatenate } from './bytes.ts';

/** Bytes beyond its limit that are read of a body: a caller hears why it is refused only once it has sent all. */
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
 * One that turns out too large on its way is read on and thrown away: where a request is left half read, `wrangler dev`
 * loses the answer, and the answer to the next request too.
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
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length <= most) pieces.push(piece);
    else if (length > most + MAX_DISCARDED) break;
  }
  if (length > most) throw new BodyError('too large');
  return concatenate(pieces).buffer;
}
