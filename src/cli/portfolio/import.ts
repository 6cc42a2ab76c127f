import { hash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ReadableStream } from 'node:stream/web';
import { setTimeout } from 'node:timers/promises';
import type { Validators } from '../../api/imports/fetch-file.ts';
import { tableOf } from '../../api/imports/names.ts';
import { readSetting } from '../../db/accounts/accounts.ts';
import { type ImportReport, importPortfolio } from '../../import/import.ts';
import { FORMATS, type Format } from '../../import/input/formats.ts';
import { parseNames, withNames } from '../../import/names.ts';
import { describeBad, describeInterpretation } from '../../import/notes.ts';
import { isoTime } from '../../lib/time/time.ts';
import {
  type AccountArguments,
  type CommandResult,
  type Context,
  command,
  inAccount,
  type Target,
} from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { EXIT, Failure, firstOf, usageFailure } from '../command/failure.ts';
import { reasonOf, replaceFile } from '../command/files.ts';
import { ACCOUNT, choice, flag, number, PERCENTAGE, positive, SERVICE, text } from '../command/options.ts';
import { count } from '../command/print.ts';
import { type Call, withService } from '../command/service.ts';
import { addressIn, withInput } from './input.ts';
import { PROGRESS, type Progress, withProgress } from './progress.ts';

/** Defaults: seconds without a byte, and MiB of a download. */
const [TIMEOUT, MAX_DOWNLOAD] = [60, 2048];

export const importCommand = command({
  command: 'import [file]',
  describe: "Import a file into an account's portfolio: a Kyero v3 feed, a ReSales-Online feed, or an export",
  options: {
    account: ACCOUNT,
    format: choice(Object.keys(FORMATS) as Format[], 'The format of the file; detected by default'),
    replace: flag('Withdraw listed properties that are not in the file'),
    'max-withdrawn': number(30, 'With --replace: abort if more than this percentage would be withdrawn', PERCENTAGE),
    'dry-run': flag('Report what would change, and change nothing'),
    strict: flag('Reject records that are not exactly as specified, and abort if any record is rejected'),
    names: text(
      'A file of your own names of types and features, over those mapped in the console and the built-in ones',
    ),
    'write-names': text('Write unknown names of types and features to a file, to be completed and passed to --names'),
    force: flag('Download the file even if its server says that it has not changed since its last import'),
    timeout: number(TIMEOUT, 'Abort a download if the server sends nothing for this many seconds', positive(3_600)),
    'max-download': number(MAX_DOWNLOAD, 'Abort a download of more than this many MiB', positive()),
    'in-worker': flag('Let the running service import the file: send it the file, or its URL'),
    origin: SERVICE,
    progress: PROGRESS,
  },
  async run(args, context) {
    const { file, replace, strict, format, timeout, 'max-withdrawn': maxWithdrawn, 'dry-run': dryRun } = args;
    const { 'max-download': maxDownload, 'write-names': namesFile } = args;
    if (args['in-worker']) {
      if (dryRun || args.names !== undefined || namesFile !== undefined) {
        throw usageFailure('--in-worker excludes --dry-run, --names and --write-names.');
      }
      if (args.force || timeout !== TIMEOUT || maxDownload !== MAX_DOWNLOAD) {
        throw usageFailure(
          '--in-worker excludes --force, --timeout and --max-download: the service has limits of its own.',
        );
      }
      const options = { replace: String(replace), strict: String(strict), max_withdrawn: String(maxWithdrawn) };
      const query = new URLSearchParams({ ...options, ...(format === undefined ? {} : { format }) });
      return withProgress(args.progress, (progress) => importInWorker(context, args, query, progress));
    }
    const result = await withProgress(args.progress, (progress) =>
      inAccount(context, args, async ({ env, db, accountId }): Promise<CommandResult | null> => {
        const address = addressIn(file);
        const mapped = tableOf(await readSetting(db, accountId, 'importNames'));
        const names = args.names === undefined ? mapped : withNames(mapped, parseNames(await readNames(args.names)));
        const target = [process.env.CLOUDFLARE_ENV, accountId, await readSetting(db, accountId, 'incarnation')];
        const from = [address?.href, target, [replace, strict, format, names]];
        const validators = address === null || dryRun ? null : validatorsOf(args, context, from);
        const known = args.force ? undefined : await validators?.read();
        const options = { known, timeout: timeout * 1000, maxBytes: maxDownload * 1024 ** 2, progress };
        let written = 0;
        return withInput(file, context, options, async (input) => {
          const report = await importPortfolio(env, accountId, input, {
            actor: { kind: 'operator' },
            names,
            now: isoTime(context.now()),
            strict,
            format,
            replace,
            maxWithdrawn,
            dryRun,
            onPlan: (records) => progress.begin('Writing', records),
            onBatch(records) {
              progress.add(records);
              written += records;
              noteChange(`At least ${count(written, 'record')} had been written. Repeat the import to write the rest.`);
            },
          });
          if (namesFile !== undefined) await writeNames(namesFile, report.unknown_names);
          if (input.validators !== undefined && countRejected(report) === 0) await validators?.store(input.validators);
          return importResult(report);
        });
      }),
    );
    const unchanged = 'Nothing was imported: the file is the same as last time. Use --force to import it anyway.\n';
    return result ?? { json: { not_modified: true }, text: unchanged };
  },
});

async function readNames(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure('bad_names', `Cannot read the table of names ${file}: ${reasonOf(error)}.`, EXIT.usage);
  });
}

async function writeNames(file: string, names: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(names, null, 2)}\n`).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('no_file', `The properties are imported, but ${file} cannot be written: ${reasonOf(error)}.`);
  });
}

/**
 * The validators of imported files: in the directory of the database's state, or for a deployed one in the project's directory.
 * Each is stored under a digest, because a URL may contain credentials.
 *
 * @param from what the result of an import depends on besides the file: if any of it differs, the file is imported again
 */
function validatorsOf({ remote, persistTo }: Target, { directory }: Context, from: readonly unknown[]) {
  const state = remote ? join(directory, '.wrangler', 'remote') : resolve(directory, persistTo);
  const path = join(state, 'lindero-imports.json');
  const key = hash('sha256', JSON.stringify(from), 'hex');
  /** Without the file, or with one that is not JSON, the next import is not conditional. */
  const readAll = (): Promise<Record<string, Validators>> =>
    readFile(path, 'utf8')
      .then(JSON.parse)
      .catch(() => ({}));
  return {
    read: async () => (await readAll())[key],
    async store(validators: Validators): Promise<void> {
      const all = { ...(await readAll()), [key]: validators };
      await mkdir(state, { recursive: true });
      await replaceFile(path, `${JSON.stringify(all, null, 2)}\n`);
    },
  };
}

function importInWorker(
  context: Context,
  args: AccountArguments & { readonly file?: string | undefined; readonly origin?: string | undefined },
  query: URLSearchParams,
  progress: Progress,
): Promise<CommandResult> {
  return withService(context, args, ['properties:read', 'properties:write'], async (call) => {
    const send = async (body: object) => resultOf(call, (await call('POST', `/v1/imports?${query}`, body)).body.id);
    const address = addressIn(args.file);
    if (address !== null) return send({ url: address.href });
    const options = { timeout: 0, maxBytes: 0, progress };
    const sent = withInput(args.file, context, options, async (input) => send(ReadableStream.from(input.open())));
    // Only a server can say that a file has not changed.
    return (await sent)!;
  });
}

/** Milliseconds between two polls of an import: few at first, since most imports are small. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [100, 2_000];

/** Waits for the end of an import, and returns its report. */
export async function resultOf(call: Call, id: number): Promise<CommandResult> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
    const { body } = await call('GET', `/v1/imports/${id}`);
    if (body.state === 'finished') {
      const { withdrawn_properties: _, ...report } = body.report as ImportReport & { withdrawn_properties: string[] };
      return importResult(report);
    }
    if (body.state === 'unchanged') {
      const text = 'Nothing was imported: the file is the same as last time.\n';
      return { json: { not_modified: true }, text };
    }
    if (body.state === 'cancelled') throw new Failure('cancelled', `Import ${id} was cancelled.`);
    const { error, would_withdraw: held } = body;
    const hint = held === null ? '' : `${firstOf(held.properties)} Approve or cancel import ${id} in the console.`;
    if (error !== null) throw new Failure(error.code, error.detail + hint);
    await setTimeout(pause);
  }
}

/** Maximum numbers of rejected records, interpretations and names in the text. */
const SHOWN = 50;

/** What a command prints about an import. Its exit code tells whether a record was rejected, or nothing was read. */
export function importResult(report: ImportReport) {
  const isEmpty = groupsOf(report).every(({ read }) => read === 0);
  const exit = countRejected(report) > 0 || isEmpty ? EXIT.warnings : EXIT.ok;
  return { json: report, text: textOf(report), exit };
}

function countRejected(report: ImportReport): number {
  return groupsOf(report).reduce((sum, { rejected }) => sum + rejected, 0);
}

function groupsOf({ properties, entries, developments, units }: ImportReport) {
  return [properties, entries, developments, units];
}

function textOf(report: ImportReport): string {
  const { properties, entries, developments, units, unknown_names: unknown } = report;
  const rejected = report.rejected_records.map((one) => `Rejected: ${describeBad(one)}`);
  const interpreted = report.interpreted.map(
    ({ interpretation: kind, ...one }) => `Interpreted: ${describeInterpretation({ ...one, kind })}\n`,
  );
  const ignored = report.ignored.map(
    ({ name, times, line }) => `Not imported: ${name}, ${count(times, 'time')}, first at line ${line}\n`,
  );
  const inProperties = (number: number) => `(${count(number, 'property', 'properties')})\n`;
  const names = [
    ...unknown.types.map(({ names, count: found }) => `Unknown type: ${names[0]} ${inProperties(found)}`),
    ...unknown.features.map(({ names, count: found }) => `Unknown feature: ${names[0]} ${inProperties(found)}`),
  ];
  const changed = entries.created + entries.updated + entries.rejected > 0;
  return [
    shown(rejected, 'rejected record', countRejected(report)),
    shown(interpreted, 'interpretation'),
    shown(ignored, 'name'),
    shown(names, 'unknown name'),
    names.length === 0 ? '' : 'Each is a type or feature of its own. To map them, use --write-names and --names.\n',
    ...Object.entries(report.in_other_sources).map(
      ([name, number]) =>
        `Also in the source ${name}, whose next import overwrites them: ${count(number, 'property', 'properties')}\n`,
    ),
    ...report.new_channels.map((name) => `New channel: ${name}\n`),
    readLine(developments, 'development'),
    readLine(units, 'unit'),
    changed
      ? `${count(entries.created, 'type or feature', 'types and features')} created, ${entries.updated} updated` +
        `${entries.rejected === 0 ? '' : `, ${entries.rejected} rejected`}.\n`
      : '',
    `${count(properties.read, 'property', 'properties')} read: ${properties.written} written, ` +
      `${properties.unchanged} unchanged, ${properties.withdrawn} withdrawn, ${properties.rejected} rejected.` +
      `${report.dry_run ? ' Dry run: nothing was changed.' : ''}\n`,
  ].join('');
}

function readLine({ read, created, updated, unchanged, rejected }: ImportReport['units'], name: string): string {
  if (read === 0) return '';
  return `${count(read, name)} read: ${created + updated} written, ${unchanged} unchanged, ${rejected} rejected.\n`;
}

function shown(lines: readonly string[], name: string, number = lines.length): string {
  const first = lines.slice(0, SHOWN);
  const more = number - first.length;
  return first.join('') + (more > 0 ? `… and ${count(more, `more ${name}`)}\n` : '');
}
