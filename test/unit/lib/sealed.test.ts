import { describe, expect, test } from 'vitest';
import { open, seal } from '../../../src/lib/secrets/sealed.ts';

const SECRET = 'sealing-key-'.repeat(4);

describe('a sealed text', () => {
  test.each(['', 'whsec_geheim', 'contraseña ✓'])(
    'opened with the same secret and context: %j',
    async (text) => {
      expect(await open(await seal(text, SECRET, 'webhook:1'), SECRET, 'webhook:1')).toBe(text);
    },
  );

  test('sealed twice: differs, and contains nothing of the text', async () => {
    const [one, two] = [await seal('visible', SECRET, 'a'), await seal('visible', SECRET, 'a')];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^[\w-]+$/);
    expect(Buffer.from(one, 'base64url').toString('latin1')).not.toContain('visible');
  });

  test('opened with another secret or context: null', async () => {
    const sealed = await seal('text', SECRET, 'webhook:1');
    expect(await open(sealed, `${SECRET}x`, 'webhook:1')).toBeNull();
    expect(await open(sealed, SECRET, 'webhook:2')).toBeNull();
  });

  test('with any bit changed, truncated or empty: null', async () => {
    const bytes = Buffer.from(await seal('text', SECRET, 'a'), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(await open(changed.toString('base64url'), SECRET, 'a')).toBeNull();
      expect(await open(bytes.subarray(0, index).toString('base64url'), SECRET, 'a')).toBeNull();
    }
  });

  test('without a secret, or with a short one: an error that names the command to run', async () => {
    await expect(seal('text', '', 'a')).rejects.toThrow('npm run setup');
    await expect(open('AAAA', 'short', 'a')).rejects.toThrow('npm run setup');
  });
});
