import type { JWK } from 'jose';
import { ownKeys } from '../../oauth/own-keys.ts';
import { type CommandResult, command, group, PROGRAM, withTarget } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { flag, integer, number, text } from '../command/options.ts';
import { readSetting, SETTINGS_FILE, settingsFile } from '../settings/file.ts';
import { listRemoteSecrets, newKeySet, parseKeySet, SIGNING_KEYS, writeKeySet } from '../settings/secrets.ts';

/** Writes a key set, and says which key signs from when on and which of them still verify. */
async function install(value: string, remote: boolean, context: Context): Promise<CommandResult> {
  await writeKeySet(value, remote, context);
  const [kid, ...verify] = parseKeySet(value)?.map((key) => key.kid) ?? [];
  const from = remote ? 'from now on' : `after the next npm start; it is stored in ${SETTINGS_FILE}`;
  const others = verify.map((former) => `Key ${former} still verifies them.\n`).join('');
  return { json: { kid, verify }, text: `Key ${kid} signs tokens ${from}.\n${others}` };
}

async function localKeys(context: Context): Promise<JWK[]> {
  const setting = await readSetting(settingsFile(context), SIGNING_KEYS);
  if (setting === undefined) {
    throw new Failure('no_keys', `${SETTINGS_FILE} has no ${SIGNING_KEYS}. To create them: ${PROGRAM} key new`);
  }
  const keys = parseKeySet(setting);
  if (keys === null) {
    throw new Failure('bad_keys', `${SIGNING_KEYS} in ${SETTINGS_FILE} is not a JWK set. See: ${PROGRAM} doctor`);
  }
  return keys;
}

async function publishedKeys(origin: string): Promise<JWK[]> {
  const url = URL.parse('/.well-known/jwks.json', origin)?.href;
  if (url === undefined)
    throw usageFailure(`--origin must be an origin such as https://feeds.example.com: "${origin}"`);
  const response = await fetch(url, { redirect: 'error' }).catch((error: Error) => {
    throw new Failure('no_published_keys', `${url} is not responding: ${error.message}`);
  });
  const keys = response.ok ? parseKeySet(await response.text()) : null;
  if (keys === null) {
    throw new Failure('no_published_keys', `${url} does not return a JWK set: status ${response.status}`);
  }
  return keys;
}

export const key = group('key', 'Manage the keys that sign access tokens', [
  command({
    command: 'new',
    describe: 'Create the first signing key; tokens of any earlier keys become invalid',
    options: {
      force: flag('Replace existing keys; their tokens become invalid, unlike with key rotate'),
    },
    async run({ remote, force }, context) {
      const exists = remote
        ? (await listRemoteSecrets(context)).includes(SIGNING_KEYS)
        : (await readSetting(settingsFile(context), SIGNING_KEYS)) !== undefined;
      if (exists && !force) {
        throw new Failure(
          'keys_exist',
          `Signing keys already exist. To rotate them: ${PROGRAM} key rotate${remote ? ' --remote --origin <origin>' : ''}\n` +
            `To replace them and invalidate all tokens: ${PROGRAM} ${withTarget({ remote }, 'key new --force')}`,
        );
      }
      return install(await newKeySet(), remote, context);
    },
  }),
  command({
    command: 'rotate',
    describe: 'Sign with a new key; tokens of the former keys remain valid until they expire',
    options: {
      origin: text(
        'With --remote: where the service is served, because secrets cannot be read, but published keys can',
      ),
      keep: number(
        1,
        'How many former keys still verify tokens; 1 is enough if rotations are over an hour apart',
        integer(0),
      ),
    },
    async run({ remote, origin, keep }, context) {
      if (remote !== (origin !== undefined)) throw usageFailure('--remote and --origin require each other.');
      const former = origin === undefined ? await localKeys(context) : await publishedKeys(origin);
      const value = await newKeySet(former.slice(0, keep));
      await ownKeys(value).catch((error: Error) => {
        throw new Failure('bad_keys', `Unusable keys in ${origin ?? SETTINGS_FILE}: ${error.message}.`);
      });
      return install(value, remote, context);
    },
  }),
]);
