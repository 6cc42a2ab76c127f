import { Secret, TOTP } from 'otpauth';
import type { EpochSeconds } from '../time/time.ts';

/** Time-based one-time passwords (RFC 6238) as authenticator apps compute them: HMAC-SHA-1, six digits, 30 seconds. */

const SECRET_BYTES = 20;

/** A new random secret in base32 (RFC 4648 section 6), as people can type it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The code of a secret at a time. */
export function totpCode(secret: string, at: EpochSeconds): string {
  return totpOf(secret).generate({ timestamp: at * 1_000 });
}

/** The time step in which a code is valid: the current one, or the one before or after; `null` for a wrong code. */
export function totpStep(secret: string, code: string, now: EpochSeconds): number | null {
  const totp = totpOf(secret);
  const timestamp = now * 1_000;
  const token = code.replaceAll(/\s/g, '');
  const delta = totp.validate({ token, timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** What authenticator apps read from a QR code. */
export function totpUri(secret: string, issuer: string, label: string): string {
  return totpOf(secret, { issuer, label }).toString();
}

function totpOf(secret: string, about: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...about, secret: Secret.fromBase32(secret) });
}
