import { Buffer } from 'node:buffer';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const ITERATIONS = 100_000;

const RANDOM = '$sha256$';

/**
 * The stored form of a password: PBKDF2-HMAC-SHA-256 (RFC 8018 section 5.2) with 100,000 iterations, the platform's
 * maximum, and a salt of 16 random bytes, as `$pbkdf2-sha256$i=100000$<salt>$<key>`, both in base64.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const key = await deriveKey(password, salt, ITERATIONS);
  return format(salt, key);
}

/** The stored form of a password that has at least 120 random bits, which nobody can guess: `$sha256$<hex>`. */
export function hashRandomPassword(password: string): string {
  return `${RANDOM}${sha256Hex(password)}`;
}

/**
 * A stored password that no password matches, since derived keys have 32 bytes: checking one for an unknown account takes as
 * long as for a known one. It is secret, as ETags are keyed with it.
 */
export function unmatchablePassword(): string {
  return format(
    crypto.getRandomValues(new Uint8Array(16)),
    crypto.getRandomValues(new Uint8Array(31)),
  );
}

/**
 * Whether a password matches one stored by {@link hashPassword} or {@link hashRandomPassword}. A wrong one takes the same
 * time with either, so that nobody learns from it how an account's password was made.
 */
export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  if (stored.startsWith(RANDOM)) {
    const matches = digestsEqual(Buffer.from(hashRandomPassword(password)), Buffer.from(stored));
    return matches || passwordMatches(password, unmatchablePassword());
  }
  const [, , iterations = '', salt = '', key = ''] = stored.split('$');
  const derived = await deriveKey(
    password,
    Buffer.from(salt, 'base64'),
    Number(iterations.slice(2)),
  );
  // HMAC pads short keys with NUL (RFC 2104 section 2), so a password followed by NUL would match as well.
  return digestsEqual(derived, Buffer.from(key, 'base64')) && !password.endsWith('\0');
}

/** SHA-256 of a text in lower-case hexadecimal: the stored form of a client's secret, which is random. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether two digests are equal, compared in constant time; digests of unequal length are not. */
export function digestsEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

async function deriveKey(
  password: string,
  salt: Uint8Array,
  iterations: number,
): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
    material,
    256,
  );
  return new Uint8Array(bits);
}

function format(...parts: readonly [salt: Uint8Array, key: Uint8Array]): string {
  const [salt, key] = parts.map((bytes) => Buffer.from(bytes).toString('base64'));
  return `$pbkdf2-sha256$i=${ITERATIONS}$${salt}$${key}`;
}

/** A secret of 256 random bits: letters, digits, `-` and `_`. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
