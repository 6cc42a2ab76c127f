import type { JWK } from 'jose';
import { generateSigningKey } from '../oauth/generate-signing-key.ts';

/** The name of the Worker's setting. */
export const SIGNING_KEYS = 'SIGNING_KEYS';

/** A value of `SIGNING_KEYS`: a new key that signs, and the public halves of keys whose tokens are still to be taken. */
export async function keySet(former: readonly JWK[] = []): Promise<string> {
  return JSON.stringify({ keys: [await generateSigningKey(), ...former.map(({ d: _, ...half }) => half)] });
}

/** The keys of a JWK set: a value of `SIGNING_KEYS`, or what the Worker publishes; `null` where the text is none. */
export function keysOf(text: string): JWK[] | null {
  try {
    const { keys } = JSON.parse(text);
    return Array.isArray(keys) && keys.length > 0 && keys.every((key) => key instanceof Object) ? keys : null;
  } catch {
    return null;
  }
}
