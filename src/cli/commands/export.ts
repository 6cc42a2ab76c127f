import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { exportPortfolio } from '../../db/portfolio-export.ts';
import { ACCOUNT, accountOf, command, withEnv } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { count } from '../print.ts';

export const exportCommand = command({
  command: 'export [file]',
  describe: "Write an account's whole portfolio to a file, as NDJSON that import reads",
  examples: [
    ['export costa.ndjson --account COSTA', 'The portfolio of COSTA'],
    ['export --account COSTA --remote | gzip > costa.ndjson.gz', 'That of the deployed database, compressed'],
  ],
  positionals: {
    file: { type: 'string', describe: 'The file; the standard output without one' },
  },
  options: { account: ACCOUNT },
  async run(args, context) {
    const { file } = args;
    if (file === undefined && args.json) {
      throw new Failure('usage', '--json has no place beside a portfolio on the standard output.', EXIT.usage);
    }
    let documents = 0;
    await withEnv(context, args, async (env) => {
      const accountId = await accountOf(env, args.account);
      const lines = async function* () {
        for await (const document of exportPortfolio(env.DB, accountId)) {
          documents++;
          yield `${JSON.stringify(document)}\n`;
        }
      };
      if (file === undefined) for await (const line of lines()) await context.out(line);
      else await writeWhole(file, lines());
    });
    return {
      json: { documents, file },
      text: file === undefined ? '' : `${count(documents, 'document')} written to ${file}.\n`,
    };
  },
});

/** Writes a file beside its place first, so that what stands there is never half of it. */
async function writeWhole(file: string, lines: AsyncIterable<string>): Promise<void> {
  const draft = `${file}.part`;
  try {
    await pipeline(lines, createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
