const ITERATIONS = 100_000;
const encoder = new TextEncoder();

/**
 * A password at rest: PBKDF2-HMAC-SHA-256 (RFC 8018 section 5.2), 100,000 iterations, the most that the platform allows,
 * and a salt of 16 random bytes, as `$pbkdf2-sha256$i=100000$<salt>$<key>` with both in base64.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const key = await deriveKey(password, salt, ITERATIONS);
  return `$pbkdf2-sha256$i=${ITERATIONS}$${toBase64(salt)}$${toBase64(key)}`;
}

/** A stored password that no password fits, for a check that costs what a real one costs. */
export const UNMATCHABLE_PASSWORD = `$pbkdf2-sha256$i=${ITERATIONS}$${toBase64(new Uint8Array(16))}$${toBase64(new Uint8Array(31))}`;

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
  const derived = await deriveKey(password, fromBase64(salt), Number(iterations.slice(2)));
  return digestsEqual(derived, fromBase64(key));
}

/** SHA-256 of a text, in lower-case hexadecimal: how the secret of a client, itself random, is kept. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', encoder.encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether two digests are equal, in a time that does not tell where they differ; of unequal length, never. */
export function digestsEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

async function deriveKey(password: string, salt: Uint8Array, iterations: number): Promise<Uint8Array> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(password), 'PBKDF2', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, material, 256);
  return new Uint8Array(bits);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
