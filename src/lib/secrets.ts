import { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';

const ITERATIONS = 100_000;

/**
 * A password at rest: PBKDF2-HMAC-SHA-256 (RFC 8018 section 5.2), 100,000 iterations, the most that the platform allows,
 * and a salt of 16 random bytes, as `$pbkdf2-sha256$i=100000$<salt>$<key>` with both in base64.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const key = await deriveKey(password, salt, ITERATIONS);
  return stored(salt, key);
}

/** A stored password that no password fits, for a check that costs what a real one costs. */
export const UNMATCHABLE_PASSWORD = stored(new Uint8Array(16), new Uint8Array(31));

/**
 * Whether a password is the one that was stored with {@link hashPassword}.
 *
 * @throws TypeError when what was stored is not of that form
 */
export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [, scheme, iterations, salt, key] = stored.split('$');
  if (scheme !== 'pbkdf2-sha256' || !iterations?.startsWith('i=') || salt === undefined || key === undefined) {
    throw new TypeError('The stored password has an unknown form');
  }
  const derived = await deriveKey(password, Buffer.from(salt, 'base64'), Number(iterations.slice(2)));
  // HMAC fills a short key up with NUL (RFC 2104 section 2): with NUL behind it, a password would be the same key.
  return digestsEqual(derived, Buffer.from(key, 'base64')) && !password.endsWith('\0');
}

/** SHA-256 of a text, in lower-case hexadecimal: how the secret of a client, itself random, is kept. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether two digests are equal, in a time that does not tell where they differ; of unequal length, never. */
export function digestsEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

async function deriveKey(password: string, salt: Uint8Array, iterations: number): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, material, 256);
  return new Uint8Array(bits);
}

function stored(...parts: readonly [salt: Uint8Array, key: Uint8Array]): string {
  const [salt, key] = parts.map((bytes) => Buffer.from(bytes).toString('base64'));
  return `$pbkdf2-sha256$i=${ITERATIONS}$${salt}$${key}`;
}
