import { command, PROGRAM, withTarget } from '../command.ts';
import { Failure } from '../failure.ts';
import { readSetting, SETTINGS_FILE, settingsFile } from '../settings-file.ts';
import {
  effectiveFrom,
  listRemoteSecrets,
  newKeySet,
  parseKeySet,
  SIGNING_KEYS,
  writeKeySet,
} from '../signing-key-setting.ts';

export const newKey = command({
  command: 'new',
  describe: 'Create the first signing key; tokens of any earlier keys become invalid',
  examples: [
    ['key new', `Create a key for development, in ${SETTINGS_FILE}`],
    ['key new --remote', 'Create a key for the deployed Worker, as its secret'],
  ],
  options: {
    force: {
      type: 'boolean',
      default: false,
      describe: 'Replace existing keys; their tokens become invalid, unlike with key rotate',
    },
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
    const value = await newKeySet();
    await writeKeySet(value, remote, context);
    const kid = parseKeySet(value)?.[0]?.kid;
    return { json: { kid }, text: `Key ${kid} signs tokens ${effectiveFrom(remote)}.\n` };
  },
});
