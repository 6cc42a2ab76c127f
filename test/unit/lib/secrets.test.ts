import { expect, test } from 'vitest';
import {
  hashPassword,
  hashRandomPassword,
  passwordMatches,
} from '../../../src/lib/secrets/secrets.ts';

test('a password stored twice: 100,000 iterations, different salts, and it matches both', async () => {
  const stored = [await hashPassword('paß'), await hashPassword('paß')];
  const salts = stored.map(
    (text) => /^\$pbkdf2-sha256\$i=100000\$([^$]{24})\$[^$]{44}$/.exec(text)?.[1],
  );
  expect(new Set(salts.filter((salt) => salt !== undefined)).size).toBe(2);
  for (const text of stored) {
    expect(await passwordMatches('paß', text)).toBe(true);
    expect(await passwordMatches('pass', text)).toBe(false);
  }
});

test('a password stored with other iterations: it matches, and no other does', async () => {
  // RFC 7914 section 11.
  const key = 'VawEblbjCJ/sFpHCJUS2BflBhSFt3gRl5oudV8INrLw=';
  const stored = `$pbkdf2-sha256$i=1$${btoa('salt')}$${key}`;
  expect(await passwordMatches('passwd', stored)).toBe(true);
  expect(await passwordMatches('passwe', stored)).toBe(false);
});

test('a random password: stored as a digest, which only it matches', async () => {
  const stored = hashRandomPassword('random');
  expect(stored).toMatch(/^\$sha256\$[0-9a-f]{64}$/);
  expect([
    await passwordMatches('random', stored),
    await passwordMatches('Random', stored),
  ]).toEqual([true, false]);
});
