import { statSync } from 'node:fs';
import { realpath, writeFile } from 'node:fs/promises';
import { exportPortfolio } from '../../db/portfolio/export.ts';
import { closingLine, OPENING_LINE } from '../../import/ndjson.ts';
import { command, inAccount } from '../command/command.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { reasonOf, replaceFile } from '../command/files.ts';
import { ACCOUNT } from '../command/options.ts';
import { count } from '../command/print.ts';

export const exportCommand = command({
  command: 'export [file]',
  describe: "Export an account's portfolio as NDJSON, which import reads",
  options: { account: ACCOUNT },
  async run({ file, ...args }, context) {
    if (file === undefined && args.json) throw usageFailure('--json requires an output file.');
    return inAccount(context, args, async ({ db, accountId }) => {
      let documents = 0;
      const lines = async function* () {
        yield OPENING_LINE;
        for await (const document of exportPortfolio(db, accountId)) {
          documents++;
          yield `${JSON.stringify(document)}\n`;
        }
        yield closingLine(documents);
      };
      if (file !== undefined) await write(file, lines());
      else for await (const line of lines()) await context.out(line);
      const text = file === undefined ? '' : `Exported ${count(documents, 'document')} to ${file}.\n`;
      return { json: { documents, file }, text };
    });
  },
});

/** Writes to a file, or to anything else with a path, such as a device. */
async function write(file: string, lines: AsyncIterable<string>): Promise<void> {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || found.isFile()) await replaceFile(found ? await realpath(file) : file, lines);
    else await writeFile(file, lines);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : new Failure('no_file', `Cannot write ${file}: ${reasonOf(error as Error)}.`);
  }
}
