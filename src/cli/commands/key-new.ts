import { command, lineFor } from '../command.ts';
import { Failure } from '../failure.ts';
import { keySet, keysOf, SIGNING_KEYS } from '../keys.ts';
import { readSetting, SETTINGS_FILE, settingsFile } from '../settings-file.ts';
import { remoteSecrets, setSigningKeys, since } from '../signing-keys.ts';

export const newKey = command({
  command: 'new',
  describe: 'Make the first key; tokens of keys before it, if there are any, are refused from then on',
  examples: [
    ['key new', `A key for wrangler dev, in ${SETTINGS_FILE}`],
    ['key new --remote', 'A key for the deployed Worker, as its secret'],
  ],
  options: {
    force: { type: 'boolean', default: false, describe: 'Even where there are keys; rotate keeps their tokens good' },
  },
  async run({ remote, force }, context) {
    const there = remote
      ? (await remoteSecrets(context)).includes(SIGNING_KEYS)
      : (await readSetting(settingsFile(context), SIGNING_KEYS)) !== undefined;
    if (there && !force) {
      throw new Failure(
        'keys_there',
        `Signing keys already exist. To change them: key rotate${remote ? ' --remote --origin ORIGIN' : ''}. ` +
          `To begin anew: ${lineFor({ remote }, 'key new --force')}`,
      );
    }
    const value = await keySet();
    await setSigningKeys(value, remote, context);
    const kid = keysOf(value)?.[0]?.kid;
    return { json: { kid }, text: `Key ${kid} signs ${since(remote)}.\n` };
  },
});
