import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../lib/secrets/secrets.ts';

/** A key of a reader: recognisable in a log or a repository, and readable in a URL without encoding. */
const KEY = /^lindero_[A-Za-z0-9_-]{32}$/;

export function newReaderKey(): string {
  return `lindero_${randomBytes(24).toString('base64url')}`;
}

/** Whether a text has the form of a reader's key. No account may have such a password. */
export function isReaderKey(text: string): boolean {
  return KEY.test(text);
}

/** The digest by which a key is stored and found, if a password has the form of a key; otherwise `null`. */
export function keyDigest(password: string): string | null {
  return isReaderKey(password) ? sha256Hex(password) : null;
}
