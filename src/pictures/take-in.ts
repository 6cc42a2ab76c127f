import { createHash } from 'node:crypto';
import type { Account } from '../accounts/accounts.ts';
import type { Env } from '../env.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import { type JpegFacts, withoutMetadata } from './jpeg.ts';
import { DIGEST_LENGTH, originalKey, pictureKey, pictureUrl, type Size } from './names.ts';
import { type Original, storeOriginal } from './original.ts';
import { PictureRefused } from './refused.ts';
import { recordPicture } from './stored.ts';
import { imagesOf, makeSmall } from './transform.ts';

/** Whose a picture becomes. */
export type Owner = Pick<Account, 'id' | 'code'>;

/** A picture that is served from now on. */
export interface TakenIn {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

const METADATA = { httpMetadata: { contentType: 'image/jpeg' } };

/**
 * Takes a picture in. The bucket has it, and the database knows of it, before its address is given: so nothing names a file
 * that does not exist. What is stored and then named by nothing is found by the sweep.
 *
 * @param origin of the picture's address
 * @param length of the file, if it is known
 * @throws PictureRefused, DependencyUnavailable, and what the chunks throw; then nothing is stored, or the sweep deletes it
 */
export async function takeIn(
  env: Env,
  owner: Owner,
  origin: string,
  chunks: AsyncIterable<Uint8Array>,
  length?: number,
): Promise<TakenIn> {
  const { FILES } = env;
  const key = originalKey(owner.code, crypto.randomUUID());
  const original = await storeOriginal(FILES, owner.id, key, chunks, length);
  const images = imagesOf(env);
  try {
    return await (images === undefined
      ? keepAsItIs(env, owner, origin, original)
      : keepSmall(env, owner, origin, original, images));
  } catch (error) {
    if (error instanceof PictureRefused) await FILES.delete(key).catch(() => {});
    throw error;
  }
}

async function keepSmall(
  { DB, FILES }: Env,
  owner: Owner,
  origin: string,
  original: Original,
  images: ImagesBinding,
): Promise<TakenIn> {
  const { portal, thumbnail, width, height } = await makeSmall(images, FILES, original);
  const digest = digestOf(createHash('sha256').update(portal));
  await recordPicture(DB, owner.id, { digest, width, height, bytes: portal.length });
  await put(FILES, pictureKey(owner.code, digest, '480'), thumbnail);
  await put(FILES, pictureKey(owner.code, digest, '2560'), portal);
  return { url: pictureUrl(origin, owner.code, digest, '2560'), width, height };
}

/** No file is ever replaced by another one: no name has two contents. */
async function put(bucket: R2Bucket, key: string, bytes: Uint8Array): Promise<void> {
  const onlyIf = { etagDoesNotMatch: '*' };
  await orUnavailable('picture', bucket.put(key, bytes, { ...METADATA, onlyIf }));
}

async function keepAsItIs(
  { DB, FILES }: Env,
  owner: Owner,
  origin: string,
  { key, format, facts }: Original,
): Promise<TakenIn> {
  if (format !== 'jpeg') throw new PictureRefused('picture_not_jpeg');
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of reread(FILES, key)) {
    hash.update(piece);
    bytes += piece.length;
  }
  const isTurned = facts.orientation >= 5;
  const width = isTurned ? facts.height : facts.width;
  const height = isTurned ? facts.width : facts.height;
  const digest = digestOf(hash);
  const size: Size = 'full';
  await recordPicture(DB, owner.id, { digest, width, height, bytes });
  const { readable, writable } = new FixedLengthStream(bytes);
  const writing = pump(reread(FILES, key), writable);
  const storing = FILES.put(pictureKey(owner.code, digest, size), readable, METADATA);
  await orUnavailable('picture', Promise.all([storing, writing]));
  return { url: pictureUrl(origin, owner.code, digest, size), width, height };
}

/** A stored JPEG without what it says of where it was taken. */
async function* reread(bucket: R2Bucket, key: string): AsyncGenerator<Uint8Array> {
  const found = await orUnavailable('picture', bucket.get(key));
  if (found === null) throw new PictureRefused('picture_damaged');
  const facts: JpegFacts = { width: 0, height: 0, orientation: 1 };
  yield* withoutMetadata(found.body, facts);
}

async function pump(chunks: AsyncIterable<Uint8Array>, to: WritableStream<Uint8Array>) {
  const writer = to.getWriter();
  try {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}

function digestOf(hash: ReturnType<typeof createHash>): string {
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}
