import { Buffer } from 'node:buffer';
import type { Env } from '../env.ts';
import { digestsEqual, sha256Hex } from '../lib/secrets/secrets.ts';

/** Characters that a key must have at least: 256 random bits in base64 have 43. */
const MIN_LENGTH = 32;

type Keys = Pick<Env, 'OPERATOR_KEY' | 'OPERATOR_KEY_OLD'>;

/** Whether the service has an operator's key. Without one, nobody is the operator. */
export function hasOperatorKey({ OPERATOR_KEY = '' }: Keys): boolean {
  return OPERATOR_KEY.length >= MIN_LENGTH;
}

/** Whether a token is the operator's key, or the former one while it is replaced. Compared in constant time. */
export function isOperatorKey(env: Keys, token: string): boolean {
  if (!hasOperatorKey(env)) return false;
  const { OPERATOR_KEY = '', OPERATOR_KEY_OLD = '' } = env;
  const isFormer = OPERATOR_KEY_OLD.length >= MIN_LENGTH && isSame(token, OPERATOR_KEY_OLD);
  return isSame(token, OPERATOR_KEY) || isFormer;
}

function isSame(a: string, b: string): boolean {
  return digestsEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)));
}
