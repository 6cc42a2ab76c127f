import { revokeOldKeys, rotateKey } from '../../db/readers.ts';
import { newReaderKey } from '../../feed/request/reader-key.ts';
import { sha256Hex } from '../../lib/secrets.ts';
import { DAY_SECONDS, DEFAULT_OLD_KEY_DAYS, MAX_OLD_KEY_DAYS } from '../../readers/new-reader.ts';
import { ACCOUNT, inAccount, type Noun, notFound } from '../command/account.ts';
import { command } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import { usageFailure } from '../command/failure.ts';
import { count } from '../command/print.ts';

export const READER: Noun = {
  noun: 'reader',
  field: 'reader',
  example: 'idealista --account COSTA',
  positional: { type: 'string', demandOption: true, describe: "The reader's name" },
  stored: (name) => name.toLowerCase(),
};

/** The option that completes the URLs of a reader's feeds. */
export const ORIGIN = {
  type: 'string',
  requiresArg: true,
  describe: 'Where the service is served; by default http://localhost:8787, or with --remote its deployed address',
} as const;

/** Where feeds are served. Find it out before a key is created: if that fails, the key could not be shown. */
export async function originOf(
  { origin, remote }: { origin?: string | undefined; remote: boolean },
  context: Context,
): Promise<string> {
  return (origin ?? (await context.origin(remote))).replace(/\/$/, '');
}

/** A reader's key, and the URLs of its feeds, as JSON and as text. */
export function keyShown(origin: string, account: string, reader: string, key: string) {
  const code = account.toUpperCase();
  const query = `?U=OWNPROPERTIES@${code}&P=${key}`;
  const path = `/CreateXMLFeedV3.asp${query}`;
  const [feed, kyero] = [`${origin}${path}`, `${origin}/kyero.xml${query}`];
  return {
    json: { account: code, reader, key, path, feed, kyero },
    text: `reader: ${reader}\nkey:    ${key}\nfeed:   ${feed}\nKyero:  ${kyero}\nThe key is not shown again.\n`,
  };
}

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
  positionals: { reader: READER.positional },
  options: {
    account: ACCOUNT,
    'old-key-days': {
      type: 'number',
      default: DEFAULT_OLD_KEY_DAYS,
      requiresArg: true,
      describe: `Days for which the old keys stay valid: 0 to ${MAX_OLD_KEY_DAYS}`,
    },
    origin: ORIGIN,
  },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    const days = args['old-key-days'];
    if (!Number.isInteger(days) || days < 0 || days > MAX_OLD_KEY_DAYS) {
      throw usageFailure(`--old-key-days must be an integer from 0 to ${MAX_OLD_KEY_DAYS}.`);
    }
    const origin = await originOf(args, context);
    const key = newReaderKey();
    await inAccount(context, args, async (env, accountId) => {
      const isFound = await rotateKey(env.DB, { accountId, name }, sha256Hex(key), days * DAY_SECONDS);
      if (!isFound) throw notFound('reader', args.reader, args);
    });
    return keyShown(origin, args.account, name, key);
  },
});

export const revokeReaderKeys = command({
  command: 'revoke <reader>',
  describe: 'Revoke all keys of a reader except the newest; they are rejected within a second',
  examples: [['reader revoke idealista --account COSTA', 'Once idealista uses its new key: revoke the old one']],
  positionals: { reader: READER.positional },
  options: { account: ACCOUNT },
  async run(args, context) {
    const name = args.reader.toLowerCase();
    const revoked = await inAccount(context, args, (env, accountId) => revokeOldKeys(env.DB, { accountId, name }));
    if (revoked === null) throw notFound('reader', args.reader, args);
    return { json: { reader: name, revoked }, text: `Revoked ${count(revoked, 'key')} of reader ${name}.\n` };
  },
});
