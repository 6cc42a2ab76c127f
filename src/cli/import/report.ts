import { describeBad, describeInterpretation } from '../../import/notes.ts';
import type { ImportReport } from '../../import/report.ts';
import { count } from '../command/print.ts';

/** Maximum numbers of rejected records, interpretations and names in the text. */
const SHOWN = 50;

export function reportText(report: ImportReport): string {
  const { properties, entries, developments, units, unknown_names: unknown } = report;
  const unknownNames = [
    ...unknown.types.map(({ names, count: times }) => `type ${names[0]} (${times})`),
    ...unknown.features.map(({ names, count: times }) => `feature ${names[0]} (${times})`),
  ];
  const interpreted = report.interpreted.map(({ interpretation: kind, ...one }) =>
    describeInterpretation({ ...one, kind }),
  );
  return [
    ...listed(
      report.rejected_records,
      countRejected(report),
      'rejected record',
      (one) => `Rejected: ${describeBad(one)}`,
    ),
    ...listed(interpreted, interpreted.length, 'interpretation', (one) => `Interpreted: ${one}\n`),
    ...listed(
      report.ignored,
      report.ignored.length,
      'name',
      ({ name, times, line }) => `Not imported: ${name}, ${count(times, 'time')}, first at line ${line}\n`,
    ),
    ...listed(unknownNames, unknownNames.length, 'unknown name', (name) => `Unknown name: ${name}\n`),
    unknownNames.length === 0
      ? ''
      : 'Unknown names became entries under these names; --write-names writes them as a table for --names.\n',
    ...report.new_channels.map((name) => `New channel: ${name}\n`),
    developments.read === 0 ? '' : readLine(developments, 'development'),
    units.read === 0 ? '' : readLine(units, 'unit'),
    entries.created + entries.updated + entries.rejected === 0
      ? ''
      : `${count(entries.created, 'entry', 'entries')} of types and features created, ${entries.updated} updated` +
        `${entries.rejected === 0 ? '' : `, ${entries.rejected} rejected`}.\n`,
    `${count(properties.read, 'property', 'properties')} read: ${properties.written} written, ` +
      `${properties.unchanged} unchanged, ${properties.withdrawn} withdrawn, ${properties.rejected} rejected.` +
      `${report.dry_run ? ' Dry run: nothing was changed.' : ''}\n`,
  ].join('');
}

/** Whether a record was rejected, or the file had nothing that is imported. */
export function needsAttention(report: ImportReport): boolean {
  return countRejected(report) > 0 || groupsOf(report).every(({ read }) => read === 0);
}

export function countRejected(report: ImportReport): number {
  return groupsOf(report).reduce((sum, { rejected }) => sum + rejected, 0);
}

function groupsOf({ properties, entries, developments, units }: ImportReport) {
  return [properties, entries, developments, units];
}

function readLine({ read, created, updated, unchanged, rejected }: ImportReport['units'], name: string): string {
  return `${count(read, name)} read: ${created + updated} written, ${unchanged} unchanged, ${rejected} rejected.\n`;
}

function listed<Item>(items: readonly Item[], number: number, name: string, line: (item: Item) => string): string[] {
  const shown = items.slice(0, SHOWN);
  const more = number - shown.length;
  return [...shown.map(line), more > 0 ? `… and ${count(more, `more ${name}`)}\n` : ''];
}
