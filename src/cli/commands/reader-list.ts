import { listReaders, type Reader } from '../../db/readers.ts';
import { isoTime } from '../../lib/iso-time.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { table } from '../print.ts';

/** Readers of one account, which has a handful. */
const MAX_READERS = 10_000;

export const listReadersCommand = command({
  command: 'list',
  describe: "List an account's readers with their presets and keys",
  examples: [['reader list --account COSTA', 'The readers of COSTA']],
  options: { account: ACCOUNT },
  async run(args, context) {
    const readers = await withEnv(context, args, async (env) =>
      listReaders(env.DB, await accountOf(env, args.account, args), null, MAX_READERS),
    );
    return {
      json: { readers: readers.map(viewOf) },
      text: table(
        ['READER', 'PRESET', 'KEYS', 'CREATED', 'STATE'],
        readers.map(({ name, preset, fixed, keys, createdAt, disabled }) => [
          name,
          `${preset}${fixed ? ' (fixed)' : ''}`,
          keys,
          isoTime(createdAt),
          disabled ? 'disabled' : 'enabled',
        ]),
      ),
    };
  },
});

function viewOf({ name, preset, fixed, disabled, createdAt, keys, keysExpireAt }: Reader) {
  return {
    reader: name,
    preset,
    fixed,
    disabled,
    created_at: isoTime(createdAt),
    keys,
    ...(keysExpireAt === null ? {} : { old_keys_expire_at: isoTime(keysExpireAt) }),
  };
}
