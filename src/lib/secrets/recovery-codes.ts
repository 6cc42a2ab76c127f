import { sha256Hex } from './secrets.ts';
import { newTotpSecret } from './totp.ts';

const COUNT = 10;

/** Characters of a code in base32: 80 random bits. */
const LENGTH = 16;

/** Ten random codes, as people can type them: `ABCD-EFGH-IJKL-MNOP`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    newTotpSecret().slice(0, LENGTH).match(/.{4}/g)!.join('-'),
  );
}

/** What is stored of a code, whatever its case, spaces and hyphens. */
export function recoveryDigest(code: string): string {
  return sha256Hex(`recovery:${code.replaceAll(/[\s-]/g, '').toUpperCase()}`);
}
