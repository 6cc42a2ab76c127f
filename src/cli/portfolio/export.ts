import { statSync } from 'node:fs';
import { realpath, writeFile } from 'node:fs/promises';
import { accountCommand } from '../command/command.ts';
import { Failure, usageFailure } from '../command/failure.ts';
import { reasonOf, replaceFile } from '../command/files.ts';
import { count } from '../command/print.ts';

const exportFile = accountCommand({
  command: 'export [file]',
  describe: "Export an account's portfolio as NDJSON, which import reads",
  examples: {
    'costa.ndjson --account COSTA': 'Export the portfolio of COSTA',
    '--account COSTA --env production | gzip > costa.ndjson.gz':
      'Export from the deployed service, compressed',
  },
  async run({ file, json }, { client, context }) {
    if (file === undefined && json) throw usageFailure('--json requires an output file.');
    const { body } = await client.open('GET', '/v1/export');
    let documents = 0;
    const lines = async function* () {
      let last = '';
      for await (const text of body.setEncoding('utf8')) {
        documents += text.split('\n').length - 1;
        last = (last + text).slice(-100);
        yield text;
      }
      // The first line and the last one are no documents.
      documents -= 2;
      const [, stated] = /\{"kind":"end","documents":(\d+)\}\n?$/.exec(last) ?? [];
      if (Number(stated) !== documents)
        throw new Failure('truncated', 'The service has aborted the export.');
    };
    if (file !== undefined) await write(file, lines());
    else for await (const text of lines()) await context.out(text);
    const text = file === undefined ? '' : `Exported ${count(documents, 'document')} to ${file}.\n`;
    return { json: { documents, file }, text };
  },
});

export { exportFile as export };

/** Writes to a file, or to anything else with a path, such as a device. */
async function write(file: string, lines: AsyncIterable<string>): Promise<void> {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || found.isFile())
      await replaceFile(found ? await realpath(file) : file, lines);
    else await writeFile(file, lines);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined || error instanceof Failure
      ? error
      : new Failure('no_file', `Cannot write ${file}: ${reasonOf(error as Error)}.`);
  }
}
