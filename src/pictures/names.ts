/** How the keys of pictures begin, and their addresses. */
const PICTURES = 'pictures/';

/** How the keys of files begin as they were sent; the bucket deletes them after some days. */
export const ORIGINALS = 'originals/';
export const ORIGINAL_DAYS = 30;

/**
 * The files of a picture: a JPEG of at most 2560 pixels, and one of 480. Without the Images binding there is only the picture
 * as it was sent, without what it says of where and how it was taken.
 */
export type Size = '2560' | '480' | 'full';

export const SIZES: readonly Size[] = ['2560', '480', 'full'];

/** Pixels of the longer side. */
export const PORTAL_PIXELS = 2_560;
export const THUMBNAIL_PIXELS = 480;

/** Hexadecimal digits of a digest. */
export const DIGEST_LENGTH = 32;

/** How the keys of an account's files begin, by its code. */
export function filesOf(code: string): readonly string[] {
  return [`${PICTURES}${code}/`, `${ORIGINALS}${code}/`];
}

export function originalKey(code: string, id: string): string {
  return `${ORIGINALS}${code}/${id}`;
}

export function pictureKey(code: string, digest: string, size: Size): string {
  return `${PICTURES}${code}/${digest}-${size}.jpg`;
}

/** The address of a picture. It is named by its content, so that it never changes. */
export function pictureUrl(origin: string, code: string, digest: string, size: Size): string {
  return `${origin}/${pictureKey(code, digest, size)}`;
}

/** How the path of every picture of an account begins. */
export function pathOf(code: string): string {
  return `/${PICTURES}${code}/`;
}

/** The digest of an account's own picture; `null` for any other address. */
export function digestIn(code: string, address: string): string | null {
  const at = address.indexOf(pathOf(code));
  if (at === -1) return null;
  const name = address.slice(at + pathOf(code).length);
  return /^([0-9a-f]{32})-(2560|480|full)\.jpg$/.exec(name)?.[1] ?? null;
}
