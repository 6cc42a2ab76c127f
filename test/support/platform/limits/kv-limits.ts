import { violate } from './violation.ts';

/** https://developers.cloudflare.com/kv/platform/limits/ */
const MAX_KEY_BYTES = 512;
const MAX_VALUE_BYTES = 25 * 1024 * 1024;
const MAX_METADATA_BYTES = 1_024;
const MIN_CACHE_TTL = 30;

/** https://developers.cloudflare.com/kv/api/write-key-value-pairs/#expiring-keys */
const MIN_EXPIRATION = 60;

/**
 * @throws PlatformViolation
 */
export function checkKey(key: string): void {
  const bytes = Buffer.byteLength(key);
  if (key === '' || key === '.' || key === '..') violate(`A KV key must not be "${key}"`);
  if (bytes > MAX_KEY_BYTES) violate(`A KV key of ${bytes} bytes: ${key.slice(0, 80)}…`);
}

/**
 * @throws PlatformViolation
 */
export function checkRead(key: string, options: unknown): void {
  checkKey(key);
  const { cacheTtl } = Object(options) as { cacheTtl?: number };
  if (cacheTtl !== undefined && !(cacheTtl >= MIN_CACHE_TTL))
    violate(`cacheTtl of ${cacheTtl} s for ${key}`);
}

/**
 * @param now milliseconds since 1970
 * @throws PlatformViolation
 */
export function checkWrite(
  key: string,
  value: unknown,
  options: KVNamespacePutOptions | undefined,
  now: number,
): void {
  checkKey(key);
  const bytes = sizeOf(value);
  if (bytes > MAX_VALUE_BYTES) violate(`A KV value of ${bytes} bytes under ${key}`);
  const { metadata, expirationTtl, expiration } = options ?? {};
  const label = metadata === undefined ? 0 : Buffer.byteLength(JSON.stringify(metadata));
  if (label > MAX_METADATA_BYTES) violate(`KV metadata of ${label} bytes under ${key}`);
  if (expirationTtl !== undefined && !(expirationTtl >= MIN_EXPIRATION))
    violate(`expirationTtl of ${expirationTtl} s`);
  if (expiration !== undefined && !(expiration - now / 1000 >= MIN_EXPIRATION))
    violate(`expiration at ${expiration}`);
}

/** The bytes of a value; a stream's are not known before it is written. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 0;
}
