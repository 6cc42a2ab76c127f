import type { JWK } from 'jose';
import { ownKeys } from '../../oauth/own-keys.ts';
import { type CommandResult, type Context, command, group, PROGRAM, withTarget } from '../command/command.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { flag, integer, number, text } from '../command/options.ts';
import { originOf } from '../command/service.ts';
import {
  listRemoteSecrets,
  newKeySet,
  parseKeySet,
  readSettings,
  SETTINGS_FILE,
  SIGNING_KEYS,
  writeSetting,
} from '../platform/secrets.ts';

/** Writes a key set, as a secret of the deployed Worker or for development, and says which key signs and which still verify. */
async function install(value: string, remote: boolean, context: Context): Promise<CommandResult> {
  if (remote) await context.wrangler(['secret', 'put', SIGNING_KEYS], value);
  else await writeSetting(context.directory, SIGNING_KEYS, value);
  const [kid, ...verify] = parseKeySet(value)!.map((key) => key.kid);
  const from = remote ? 'from now on' : `after the next npm start; it is stored in ${SETTINGS_FILE}`;
  const others = verify.map((former) => `Key ${former} still verifies them.\n`).join('');
  return { json: { kid, verify }, text: `Key ${kid} signs tokens ${from}.\n${others}` };
}

async function localKeys({ directory }: Context): Promise<JWK[]> {
  const setting = (await readSettings(directory))[SIGNING_KEYS];
  if (!setting) {
    throw new Failure('no_keys', `${SETTINGS_FILE} has no ${SIGNING_KEYS}. To create them: ${PROGRAM} key new`);
  }
  const keys = parseKeySet(setting);
  if (keys !== null) return keys;
  throw new Failure('bad_keys', `${SIGNING_KEYS} in ${SETTINGS_FILE} is not a JWK set. See: ${PROGRAM} doctor`);
}

async function publishedKeys(origin: string): Promise<JWK[]> {
  const url = URL.parse('/.well-known/jwks.json', origin)?.href;
  if (url === undefined) {
    throw usageFailure(`--origin must be an origin such as https://feeds.example.com: "${origin}"`);
  }
  const response = await fetch(url, { redirect: 'error' }).catch((error: Error) => {
    throw new Failure('no_published_keys', `${url} is not responding: ${error.message}`);
  });
  const keys = response.ok ? parseKeySet(await response.text()) : null;
  if (keys !== null) return keys;
  throw new Failure('no_published_keys', `${url} does not return a JWK set: status ${response.status}`);
}

export const key = group('key', 'Manage the keys that sign access tokens', [
  command({
    command: 'new',
    describe: 'Create the first signing key; tokens of any earlier keys become invalid',
    options: { force: flag('Replace existing keys; their tokens become invalid, unlike with key rotate') },
    async run({ remote, force }, context) {
      const exists = remote
        ? (await listRemoteSecrets(context)).includes(SIGNING_KEYS)
        : Boolean((await readSettings(context.directory))[SIGNING_KEYS]);
      if (!exists || force) return install(await newKeySet(), remote, context);
      throw new Failure(
        'keys_exist',
        `Signing keys already exist. To rotate them: ${withTarget({ remote }, 'key rotate')}\n` +
          `To replace them and invalidate all tokens: ${withTarget({ remote }, 'key new --force')}`,
      );
    },
  }),
  command({
    command: 'rotate',
    describe: 'Sign with a new key; tokens of the previous keys remain valid until they expire',
    options: {
      origin: text('With --remote: where the previous keys are published; by default the deployed address'),
      keep: number(
        1,
        'How many previous keys still verify tokens; 1 is enough for rotations an hour apart',
        integer(0),
      ),
    },
    async run({ remote, origin: given, keep }, context) {
      if (given !== undefined && !remote) throw usageFailure('--origin requires --remote.');
      const origin = remote ? await originOf({ origin: given, remote }, context) : null;
      const former = origin === null ? await localKeys(context) : await publishedKeys(origin);
      const value = await newKeySet(former.slice(0, keep));
      await ownKeys(value).catch((error: Error) => {
        throw new Failure('bad_keys', `Unusable keys in ${origin ?? SETTINGS_FILE}: ${error.message}.`);
      });
      return install(value, remote, context);
    },
  }),
]);
