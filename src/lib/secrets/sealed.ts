import { Buffer } from 'node:buffer';

/** Bytes of the nonce of AES-GCM (NIST SP 800-38D section 8.2). */
const NONCE_BYTES = 12;

/**
 * Encrypts a text, or bytes, for storage: AES-256-GCM with a random nonce, under a key that HKDF-SHA-256 (RFC 5869) derives from a secret
 * of the Worker.
 *
 * @param secret at least 32 characters, of high entropy
 * @param context what the content is and whose, as `webhook:17`; the result can be opened only with the same context, so that it
 *   is of no use in another row
 * @returns letters, digits, `-` and `_`
 */
export async function seal(
  content: string | Uint8Array,
  secret: string | undefined,
  context: string,
): Promise<string> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const encrypted = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData: Buffer.from(context) },
    await keyOf(secret),
    typeof content === 'string' ? Buffer.from(content) : content,
  );
  return Buffer.concat([nonce, new Uint8Array(encrypted)]).toString('base64url');
}

/** The text that {@link seal} encrypted; `null` if it was sealed with another secret or context, or has been changed. */
export async function open(
  sealed: string,
  secret: string | undefined,
  context: string,
): Promise<string | null> {
  const bytes = await openBytes(sealed, secret, context);
  return bytes && Buffer.from(bytes).toString();
}

/** The same for bytes. */
export async function openBytes(
  sealed: string,
  secret: string | undefined,
  context: string,
): Promise<ArrayBuffer | null> {
  const bytes = Buffer.from(sealed, 'base64url');
  const iv = bytes.subarray(0, NONCE_BYTES);
  const key = await keyOf(secret);
  try {
    const algorithm = { name: 'AES-GCM', iv, additionalData: Buffer.from(context) };
    return await crypto.subtle.decrypt(algorithm, key, bytes.subarray(NONCE_BYTES));
  } catch {
    return null;
  }
}

async function keyOf(secret = ''): Promise<CryptoKey> {
  if (secret.length < 32)
    throw new Error('SEALING_KEY is missing or too short. Run: npm run setup, or npm run deploy');
  const material = await crypto.subtle.importKey('raw', Buffer.from(secret), 'HKDF', false, [
    'deriveKey',
  ]);
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(0),
    info: Buffer.from('sealed'),
  };
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
}
