import { revokeOldKeys, rotateKey } from '../../db/readers.ts';
import { newReaderKey } from '../../feed/request/reader-key.ts';
import { sha256Hex } from '../../lib/secrets.ts';
import { DAY, DEFAULT_OLD_KEY_DAYS, MAX_OLD_KEY_DAYS } from '../../readers/new-reader.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { count } from '../print.ts';
import { keyShown, noReader, READER } from '../reader.ts';

export const rotateReader = command({
  command: 'rotate <reader>',
  describe: 'Create another key for a reader, and show it once; the old ones expire later, or when they are revoked',
  examples: [
    [
      'reader rotate idealista --account COSTA',
      `Another key; the old one is valid for ${DEFAULT_OLD_KEY_DAYS} days more`,
    ],
    [
      'reader rotate idealista --account COSTA --old-key-days 0',
      'Another key; the old one is rejected within a second',
    ],
  ],
  positionals: { reader: READER },
  options: {
    account: ACCOUNT,
    'old-key-days': {
      type: 'number',
      default: DEFAULT_OLD_KEY_DAYS,
      requiresArg: true,
      describe: `Days for which the old keys stay valid: 0 to ${MAX_OLD_KEY_DAYS}`,
    },
  },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    const days = args['old-key-days'];
    if (!Number.isInteger(days) || days < 0 || days > MAX_OLD_KEY_DAYS) {
      throw usageFailure(`--old-key-days must be an integer from 0 to ${MAX_OLD_KEY_DAYS}.`);
    }
    const key = newReaderKey();
    await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      const rotated = await rotateKey(env.DB, { accountId, name }, sha256Hex(key), days * DAY);
      if (!rotated) throw noReader(args);
    });
    return keyShown(args.account, name, key);
  },
});

export const revokeReaderKeys = command({
  command: 'revoke <reader>',
  describe: 'Revoke all keys of a reader but the newest; they are rejected within a second',
  examples: [['reader revoke idealista --account COSTA', 'Once idealista uses its new key: revoke the old one']],
  positionals: { reader: READER },
  options: { account: ACCOUNT },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    const revoked = await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account, args);
      return revokeOldKeys(env.DB, { accountId, name });
    });
    if (revoked === null) throw noReader(args);
    return { json: { reader: name, revoked }, text: `Revoked ${count(revoked, 'key')} of reader ${name}.\n` };
  },
});
