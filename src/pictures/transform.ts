import type { Env } from '../env.ts';
import { Slots } from '../lib/time/slots.ts';
import { withTimeout } from '../lib/time/timeout.ts';
import { DependencyUnavailable, orUnavailable } from '../lib/unavailable.ts';
import { type JpegFacts, withoutMetadata } from './jpeg.ts';
import { PORTAL_PIXELS, THUMBNAIL_PIXELS } from './names.ts';
import { checkSize, type Original } from './original.ts';
import { PictureRefused, type Refusal } from './refused.ts';

/** Pictures that an isolate has in memory at a time: some megabytes each, since they are the small ones. */
const working = new Slots(3, 120_000);

const TIMEOUT_MS = 60_000;

/** Of JPEG: hardly anybody sees the difference from the original. */
const QUALITY = 85;

/**
 * Errors of the binding that say nothing about the picture
 * (https://developers.cloudflare.com/images/reference/troubleshooting/): a limit is reached, the product is not enabled, or the
 * service fails. All others do.
 */
const UNAVAILABLE: readonly number[] = [9422, 9423, 9432, 9504, 9505, 9510, 9511, 9522, 9524];

/** The Images binding; `undefined` if `wrangler.toml` does not declare it: then files are kept as they are. */
export function imagesOf({ IMAGES }: Partial<Pick<Env, 'IMAGES'>>): ImagesBinding | undefined {
  return IMAGES;
}

/** A picture as portals get it, and its thumbnail: upright, in sRGB, without what the file says of where it was taken. */
export interface Small {
  readonly portal: Uint8Array;
  readonly thumbnail: Uint8Array;
  /** Of the portals' picture. */
  readonly width: number;
  readonly height: number;
}

/**
 * Makes the pictures of an original: each transformation is billed, so this is done once.
 *
 * @throws PictureRefused, DependencyUnavailable
 */
export async function makeSmall(
  images: ImagesBinding,
  bucket: R2Bucket,
  original: Original,
): Promise<Small> {
  try {
    return await transformed(images, bucket, original);
  } catch (error) {
    // The binding says the same of a damaged file, and of a format that it has no decoder for.
    if (
      original.format === 'heic' &&
      error instanceof PictureRefused &&
      UNREAD.includes(error.reason)
    )
      throw new PictureRefused('picture_heic_not_read');
    throw error;
  }
}

const UNREAD: readonly Refusal[] = ['picture_damaged', 'picture_format'];

async function transformed(
  images: ImagesBinding,
  bucket: R2Bucket,
  { key, format }: Original,
): Promise<Small> {
  if (format !== 'jpeg') checkSize(await sizeOf(images, await open(bucket, key)));
  const slot = await working.acquire();
  try {
    const portal = await jpegOf(images, await open(bucket, key), PORTAL_PIXELS);
    const thumbnail = await jpegOf(images, new Response(portal.bytes).body!, THUMBNAIL_PIXELS);
    const { width, height } = portal.facts;
    return { portal: portal.bytes, thumbnail: thumbnail.bytes, width, height };
  } finally {
    slot.release();
  }
}

async function open(bucket: R2Bucket, key: string): Promise<ReadableStream> {
  const found = await orUnavailable('picture', bucket.get(key));
  if (found === null) throw new DependencyUnavailable('picture: the original is gone');
  return found.body;
}

async function sizeOf(images: ImagesBinding, body: ReadableStream) {
  const info = await bound(images.info(body));
  if (!('width' in info)) throw new PictureRefused('picture_format');
  return info;
}

/** A picture within a square of so many pixels. */
async function jpegOf(images: ImagesBinding, body: ReadableStream, pixels: number) {
  const result = images
    .input(body)
    .transform({ width: pixels, height: pixels, fit: 'scale-down' })
    .output({ format: 'image/jpeg', quality: QUALITY, background: '#ffffff' });
  const chunks = (await bound(result)).image();
  const facts: JpegFacts = { width: 0, height: 0, orientation: 1 };
  // The binding keeps the copyright of a JPEG.
  const pieces: Uint8Array[] = [];
  for await (const piece of withoutMetadata(chunks, facts)) pieces.push(piece.slice());
  const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
  return { bytes, facts };
}

/** What the binding gives. @throws PictureRefused, DependencyUnavailable */
async function bound<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await withTimeout('The Images binding', work, TIMEOUT_MS);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 9413) throw new PictureRefused('picture_too_many_pixels');
    if (typeof code === 'number' && !UNAVAILABLE.includes(code))
      throw new PictureRefused('picture_damaged');
    throw new DependencyUnavailable(`pictures: ${String(error).slice(0, 200)}`);
  }
}
