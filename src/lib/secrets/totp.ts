import { Buffer } from 'node:buffer';
import { createHmac, randomBytes } from 'node:crypto';
import type { EpochSeconds } from '../time/time.ts';

/** Time-based one-time passwords (RFC 6238) as authenticator apps compute them: HMAC-SHA-1, six digits, 30 seconds. */

const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret of 160 random bits in base32 (RFC 4648 section 6), as people can type it. */
export function newTotpSecret(): string {
  return Array.from(randomBytes((SECRET_BYTES * 8) / 5), (byte) => ALPHABET[byte % 32]).join('');
}

/** The code of a secret in a time step. */
export function totpCode(secret: string, step: number): string {
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setBigUint64(0, BigInt(step));
  const digest = new Uint8Array(createHmac('sha1', decodeBase32(secret)).update(counter).digest());
  const value =
    new DataView(digest.buffer, digest.byteOffset).getUint32(digest.at(-1)! & 15) & 0x7fff_ffff;
  return String(value % 1_000_000).padStart(6, '0');
}

/** The time step in which a code is valid: the current one, or the one before or after; `null` for a wrong code. */
export function totpStep(secret: string, code: string, now: EpochSeconds): number | null {
  const current = Math.floor(now / STEP_SECONDS);
  const digits = code.replaceAll(/\s/g, '');
  return (
    [current, current - 1, current + 1].find((step) => totpCode(secret, step) === digits) ?? null
  );
}

/** What authenticator apps read from a QR code. */
export function totpUri(secret: string, issuer: string, name: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

function decodeBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
