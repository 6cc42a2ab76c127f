import { FORMAT_NAMES } from '../../imports/formats/formats.ts';
import type { MissingProperty } from '../../imports/pipeline/error.ts';
import { describeInterpretation } from '../../imports/pipeline/notes.ts';
import { describeBad } from '../../imports/pipeline/rejections.ts';
import type { ImportCounts, ImportReport } from '../../imports/pipeline/report.ts';
import { accountCommand, type CommandResult } from '../command/command.ts';
import { noteChange } from '../command/ending.ts';
import { EXIT, Failure } from '../command/failure.ts';
import { choice, flag, number, text } from '../command/options.ts';
import { count } from '../command/print.ts';
import { statedIn } from '../command/request.ts';
import type { ServiceClient } from '../service/client.ts';
import { addressIn, openFile } from './input.ts';
import { PROGRESS, type Progress, withProgress } from './progress.ts';

const OPTIONS = {
  format: choice(FORMAT_NAMES, 'The format of the file; detected by default'),
  replace: flag('Withdraw listed properties that are not in the file'),
  'max-withdrawn': number(
    'With --replace: hold it if more than this percentage would be withdrawn; 20 by default',
  ),
  'dry-run': flag('Report what would change, and change nothing'),
  strict: flag(
    'Reject records that are not exactly as specified, and abort if any record is rejected',
  ),
  channel: text('Put its properties into this channel'),
};

const importFile = accountCommand({
  command: 'import [file]',
  describe:
    "Import a file into an account's portfolio: a Kyero v3 feed, a ReSales-Online feed, or an export",
  examples: {
    'feed.xml --account COSTA': 'Add and update the properties of a feed',
    'feed.xml --account COSTA --replace': 'Also withdraw the properties that are not in it',
    'feed.xml --account COSTA --dry-run --strict':
      'Report what would change; fail if a record is rejected',
    'https://agency.example/feed.xml --account COSTA': 'Let the service download and import a feed',
    '- --account COSTA --env production < costa.ndjson':
      'Import an export into the deployed service',
  },
  options: { ...OPTIONS, progress: PROGRESS },
  run(args, { client, context }) {
    const { file } = args;
    const query = new URLSearchParams(statedIn(args, OPTIONS) as Readonly<Record<string, string>>);
    return withProgress(args.progress, async (shown) => {
      const address = addressIn(file);
      // Its media type says nothing: the service looks at the file.
      const sent =
        address === null
          ? { stream: await openFile(file, context, shown), type: 'application/xml' }
          : { url: address.href };
      return resultOf(client, await client.post(`/v1/imports?${query}`, sent), shown);
    });
  },
});

export { importFile as import };

// biome-ignore lint/suspicious/noExplicitAny: the shape is that which the API documents
type Import = any;

const ENDED = ['finished', 'unchanged', 'cancelled', 'failed', 'held'];

/** Waits for the end of an import, and returns its report. Ending this process does not end the import. */
export async function resultOf(
  client: ServiceClient,
  { id }: Import,
  progress: Progress,
): Promise<CommandResult> {
  noteChange(`The service continues import ${id}: see it in the console.`);
  let shown = -1;
  const onProgress = ({ records, done }: Import) => {
    if (records === null) return;
    if (shown === -1) progress.begin('Writing', records);
    progress.add(done - Math.max(shown, 0));
    shown = done;
  };
  const ended = await client.watch(
    `/v1/imports/${id}`,
    ({ state }: Import) => ENDED.includes(state),
    onProgress,
  );
  const { state, report, error, would_withdraw: held } = ended;
  // Its last records were written since the last look.
  if (state === 'finished') onProgress(ended);
  if (state === 'finished' || (state === 'failed' && report !== null)) {
    const { withdrawn_properties: _, ...printed } = report as ImportReport & {
      withdrawn_properties: string[];
    };
    return importResult(printed);
  }
  if (state === 'unchanged') {
    const text = 'Nothing was imported: the file is the same as last time.\n';
    return { json: { not_modified: true }, text };
  }
  if (state === 'cancelled') throw new Failure('cancelled', `Import ${id} was cancelled.`);
  const hint =
    held === null
      ? ''
      : `${firstOf(held.properties)} Approve or cancel import ${id} in the console.`;
  throw new Failure(error.code, error.detail + hint);
}

/** The first properties that an import would withdraw, as a sentence after others. */
function firstOf(properties: readonly MissingProperty[]): string {
  const names = properties
    .slice(0, 5)
    .map(({ id, ref, town }) => (ref || id) + (town === '' ? '' : ` (${town})`));
  return ` ${properties.length > names.length ? 'The first are' : 'They are'} ${names.join(', ')}.`;
}

/** Maximum numbers of rejected records, interpretations and names in the text. */
const SHOWN = 50;

/** What a command prints about an import. Its exit code tells whether a record was rejected, or nothing was read. */
function importResult(report: ImportReport) {
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
  const rejected = report.rejected_records.map(({ problems, ...one }) => {
    const read = problems.map(({ field, detail: _, ...message }) => ({ field, message }));
    return `Rejected: ${describeBad({ ...one, problems: read })}`;
  });
  const interpreted = report.interpreted.map(
    ({ interpretation: kind, ...one }) =>
      `Interpreted: ${describeInterpretation({ ...one, kind })}\n`,
  );
  const ignored = report.ignored.map(
    ({ name, times, line }) =>
      `Not imported: ${name}, ${count(times, 'time')}, first at line ${line}\n`,
  );
  const inProperties = (number: number) => `(${count(number, 'property', 'properties')})\n`;
  const names = [
    ...unknown.types.map(
      ({ name, count: found }) => `Unknown type: ${name} ${inProperties(found)}`,
    ),
    ...unknown.features.map(
      ({ name, count: found }) => `Unknown feature: ${name} ${inProperties(found)}`,
    ),
  ];
  const changed = entries.created + entries.updated + entries.rejected > 0;
  return [
    shown(rejected, 'rejected record', countRejected(report)),
    shown(interpreted, 'interpretation'),
    shown(ignored, 'name'),
    shown(names, 'unknown name'),
    names.length === 0
      ? ''
      : 'Each is a type or feature of its own. To map them, open Imports in the console.\n',
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

function readLine(
  { read, created, updated, unchanged, rejected }: ImportCounts,
  name: string,
): string {
  if (read === 0) return '';
  return `${count(read, name)} read: ${created + updated} written, ${unchanged} unchanged, ${rejected} rejected.\n`;
}

function shown(lines: readonly string[], name: string, number = lines.length): string {
  const first = lines.slice(0, SHOWN);
  const more = number - first.length;
  return first.join('') + (more > 0 ? `… and ${count(more, `more ${name}`)}\n` : '');
}
