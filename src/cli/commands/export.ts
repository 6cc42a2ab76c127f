import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { realpath, rename, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { exportPortfolio } from '../../db/portfolio/export.ts';
import { closingLine, OPENING_LINE } from '../../import/ndjson.ts';
import { ACCOUNT, inAccount } from '../command/account.ts';
import { command } from '../command/command.ts';
import { atExit } from '../command/ending.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { count } from '../command/print.ts';

export const exportCommand = command({
  command: 'export [file]',
  describe: "Export an account's portfolio as NDJSON, which import reads",
  examples: [
    ['export costa.ndjson --account COSTA', 'Export the portfolio of COSTA'],
    ['export --account COSTA --remote | gzip > costa.ndjson.gz', 'Export from the deployed database, compressed'],
  ],
  positionals: {
    file: { type: 'string', describe: 'The file; the standard output by default' },
  },
  options: { account: ACCOUNT },
  async run(args, context) {
    const { file } = args;
    if (file === undefined && args.json) throw usageFailure('--json requires an output file.');
    let documents = 0;
    await inAccount(context, args, async (env, accountId) => {
      const lines = async function* () {
        yield OPENING_LINE;
        for await (const document of exportPortfolio(env.DB, accountId)) {
          documents++;
          yield `${JSON.stringify(document)}\n`;
        }
        yield closingLine(documents);
      };
      if (file === undefined) for await (const line of lines()) await context.out(line);
      else await write(file, lines());
    });
    return {
      json: { documents, file },
      text: file === undefined ? '' : `Exported ${count(documents, 'document')} to ${file}.\n`,
    };
  },
});

/** Writes to a file, or to anything else with a path, such as a device. */
async function write(file: string, lines: AsyncIterable<string>): Promise<void> {
  try {
    const found = await stat(file).catch(unlessMissing);
    if (found === null || found.isFile()) await writeAtomically(found === null ? file : await realpath(file), lines);
    else await pipeline(lines, createWriteStream(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Failure('no_file', `Cannot write ${file}: ${code}`);
  }
}

/** Writes a temporary file in the same directory and renames it, so that the file is never incomplete. */
async function writeAtomically(file: string, lines: AsyncIterable<string>): Promise<void> {
  const draft = `${file}.${randomUUID()}.part`;
  const removeDraft = atExit(() => rmSync(draft, { force: true }));
  try {
    await pipeline(lines, createWriteStream(draft, { mode: 0o600 }));
    await rename(draft, file);
  } finally {
    removeDraft();
  }
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error;
  return null;
}
