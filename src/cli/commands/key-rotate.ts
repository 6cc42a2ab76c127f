import type { JWK } from 'jose';
import { ownKeys } from '../../oauth/own-keys.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { keySet, keysOf, SIGNING_KEYS } from '../keys.ts';
import { readSetting, SETTINGS_FILE, settingsFile } from '../settings-file.ts';
import { setSigningKeys, since } from '../signing-keys.ts';

export const rotateKey = command({
  command: 'rotate',
  describe: 'Sign with a new key; tokens of those before it stay good until they end',
  examples: [
    ['key rotate', `Another key for wrangler dev, in ${SETTINGS_FILE}`],
    ['key rotate --remote --origin https://feeds.example.com', 'Another key for the deployed Worker'],
  ],
  options: {
    origin: {
      type: 'string',
      requiresArg: true,
      describe:
        'With --remote: where the Worker is served. A secret cannot be read back, but the keys it publishes can',
    },
    keep: {
      type: 'number',
      default: 1,
      requiresArg: true,
      describe: 'How many former keys still verify; one will do where rotations are more than an hour apart',
    },
  },
  async run({ remote, origin, keep }, context) {
    if (!Number.isInteger(keep) || keep < 0) {
      throw new Failure('usage', '--keep must be a whole number from 0.', EXIT.usage);
    }
    if (remote !== (origin !== undefined)) {
      throw new Failure('usage', '--remote and --origin go together.', EXIT.usage);
    }
    const former = origin === undefined ? await localKeys(context) : await publishedKeys(origin);
    const value = await keySet(former.slice(0, keep));
    await ownKeys(value).catch((error: Error) => {
      throw new Failure('bad_keys', `The keys of ${origin ?? SETTINGS_FILE} are not this service's: ${error.message}.`);
    });
    await setSigningKeys(value, remote, context);
    const [kid, ...verify] = keysOf(value)?.map((key) => key.kid) ?? [];
    return {
      json: { kid, verify },
      text: `Key ${kid} signs ${since(remote)}.\n${verify.map((old) => `Key ${old} still verifies.\n`).join('')}`,
    };
  },
});

async function localKeys(context: Context): Promise<JWK[]> {
  const setting = await readSetting(settingsFile(context), SIGNING_KEYS);
  if (setting === undefined)
    throw new Failure('no_keys', `${SETTINGS_FILE} has no ${SIGNING_KEYS}. Make them: key new`);
  const keys = keysOf(setting);
  if (keys === null) throw new Failure('bad_keys', `${SIGNING_KEYS} in ${SETTINGS_FILE} is no JWK set. See: doctor`);
  return keys;
}

async function publishedKeys(origin: string): Promise<JWK[]> {
  const address = addressOfKeys(origin);
  const answer = await fetch(address, { redirect: 'error' }).catch((error: Error) => {
    throw new Failure('no_published_keys', `${address} does not answer: ${error.message}`);
  });
  const keys = answer.ok ? keysOf(await answer.text()) : null;
  if (keys === null) throw new Failure('no_published_keys', `${address} gives no keys: ${answer.status}`);
  return keys;
}

function addressOfKeys(origin: string): string {
  try {
    return new URL('/.well-known/jwks.json', origin).href;
  } catch {
    throw new Failure('usage', `${origin} is not an origin such as https://feeds.example.com.`, EXIT.usage);
  }
}
