import type { ImportReport } from '../../import/import.ts';
import { describeBad, describeInterpretation } from '../../import/notes.ts';
import type { CommandResult } from '../command/command.ts';
import { EXIT } from '../command/failure.ts';
import { count } from '../command/print.ts';

/** Maximum numbers of rejected records, interpretations and names in the text. */
const SHOWN = 50;

/** What a command prints about an import. Its exit code tells whether a record was rejected, or nothing was read. */
export function importResult(report: ImportReport): CommandResult {
  const isEmpty = groupsOf(report).every(({ read }) => read === 0);
  const exit = countRejected(report) > 0 || isEmpty ? EXIT.warnings : EXIT.ok;
  return { json: report, text: textOf(report), exit };
}

export function countRejected(report: ImportReport): number {
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
  const names = [
    ...unknown.types.map(({ names, count: times }) => `Unknown name: type ${names[0]} (${times})\n`),
    ...unknown.features.map(({ names, count: times }) => `Unknown name: feature ${names[0]} (${times})\n`),
  ];
  const changed = entries.created + entries.updated + entries.rejected > 0;
  return [
    shown(rejected, 'rejected record', countRejected(report)),
    shown(interpreted, 'interpretation'),
    shown(ignored, 'name'),
    shown(names, 'unknown name'),
    names.length === 0
      ? ''
      : 'Unknown names became entries under these names; --write-names writes them as a table for --names.\n',
    ...report.new_channels.map((name) => `New channel: ${name}\n`),
    readLine(developments, 'development'),
    readLine(units, 'unit'),
    changed
      ? `${count(entries.created, 'entry', 'entries')} of types and features created, ${entries.updated} updated` +
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
