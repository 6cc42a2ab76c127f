import * as z from 'zod';
import { isEqual } from '../lib/bytes/equal.ts';
import { address, optional } from './checks.ts';

/** What a picture shows. */
export const PICTURE_KINDS = ['photo', 'floor_plan'] as const;

/** The most pictures of a property. */
export const MAX_PICTURES = 1_000;

const pixels = optional(z.int().min(1).max(100_000));

export const picture = z.strictObject({
  url: address,
  kind: z.enum(PICTURE_KINDS).default('photo'),
  width: pixels.describe('In pixels; `null` if it is not known.'),
  height: pixels,
  copied_from: address
    .optional()
    .describe('The address that this service has copied it from, if it has.'),
});

/** A picture with what is known of it. */
export type Picture = z.output<typeof picture>;

/** A picture in a document. A photo of which nothing more is known is its address. */
export type PictureEntry = string | Picture;

/** A picture as an object, whose errors are reported as those of its members: a union would only say that nothing fits. */
const described = z.any().transform((value, context): Picture => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const issue = { code: 'invalid_type', expected: 'string', input: value } as const;
    // What is wrong with a text is for the address to say.
    context.issues.push({ ...issue, continue: typeof value !== 'string' });
    return z.NEVER;
  }
  const result = picture.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  for (const { message: _, ...issue } of result.error.issues)
    context.issues.push({ ...issue, continue: true } as never);
  return z.NEVER;
});

/** Pictures in the order of display. Their number is checked before any of them is, which limits the errors. */
export const pictures = z
  .array(z.any())
  .max(MAX_PICTURES)
  .pipe(z.array(z.union([address, described])))
  .meta({
    items: {
      anyOf: [{ type: 'string', ...address.meta() }, { $ref: '#/components/schemas/Picture' }],
    },
  })
  .default(() => []);

/** Where a picture is. */
export function addressOf(entry: PictureEntry): string {
  return typeof entry === 'string' ? entry : entry.url;
}

/** A picture with all that is known of it. */
export function pictureOf(entry: PictureEntry): Picture {
  return typeof entry === 'string'
    ? { url: entry, kind: 'photo', width: null, height: null }
    : entry;
}

/** Whether nothing is known of a picture but its address. */
function isPlain({ url, ...rest }: Picture): boolean {
  return isEqual(rest, { kind: 'photo', width: null, height: null });
}

/**
 * Pictures as they are stored: an address says nothing but where a picture is, so what is known of it stays, and a picture
 * that was copied from this address stays in its place.
 */
export function storedPictures(
  given: readonly PictureEntry[],
  before: readonly PictureEntry[],
): PictureEntry[] {
  const known = new Map<string, PictureEntry>();
  for (const entry of before) {
    if (typeof entry === 'string') continue;
    if (entry.copied_from !== undefined) known.set(entry.copied_from, entry);
    known.set(entry.url, entry);
  }
  return given.map((entry) => {
    if (typeof entry === 'string') return known.get(entry) ?? entry;
    return isPlain(entry) ? entry.url : entry;
  });
}

/** Addresses of this service's own pictures, each with the digest of its content, and its size. */
const OWN = /\/pictures\/[A-Z0-9._-]{1,40}\/([0-9a-f]{32})-(2560|480|full)\.jpg$/;

/** The digest of the content of one of this service's own pictures; `null` for any other. */
export function contentOf(address: string): string | null {
  return OWN.exec(address)?.[1] ?? null;
}

/** Where a small copy of a picture is, if it is one of this service's own; otherwise where the picture is. */
export function thumbnailOf(address: string): string {
  return OWN.test(address) ? address.replace(/-2560\.jpg$/, '-480.jpg') : address;
}
