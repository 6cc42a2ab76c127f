/** Why a file is not taken in: nothing of it is stored. */
export const REFUSALS = [
  /** It is none of the formats that are taken. */
  'picture_format',
  /** It is a format that only the Images binding reads, which is switched off. */
  'picture_not_jpeg',
  /** It is a HEIC that the Images binding does not read: it is damaged, or the binding has no decoder, as in development. */
  'picture_heic_not_read',
  /** It is truncated, or cannot be read. */
  'picture_damaged',
  'picture_too_large',
  'picture_too_many_pixels',
] as const;

export type Refusal = (typeof REFUSALS)[number];

/** A file that is not taken in. */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';

  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}
