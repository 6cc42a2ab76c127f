import type { Imported } from '../../import/import.ts';
import type { Source } from '../../import/record.ts';
import { describeBad } from '../../import/results/bad-records.ts';
import { describeInterpretation } from '../../import/results/interpretations.ts';
import { INTERPRETATIONS } from '../../import/values/interpretation.ts';
import { count } from '../command/print.ts';

/** The report of an import, as JSON and as text. */
export interface Report {
  readonly json: unknown;
  readonly text: string;
  /** Whether a record was rejected, or the file had nothing that is imported. */
  readonly needsAttention: boolean;
}

/** Maximum numbers of rejected records, interpretations and node names in the text. */
const SHOWN = 50;

/** Types, categories and features of an account. */
const ENTRIES = ['type', 'category', 'feature'] as const;

/** The report on an imported file, or on a dry run. */
export function reportOf(
  { read, tally, withdrawn, newChannels, bad }: Imported,
  source: Source,
  dryRun: boolean,
): Report {
  const ignored = [...source.ignored()].map(([name, { times, line }]) => ({ name, times, line }));
  const interpreted = source.interpretations.list();
  const counted = (...kinds: (keyof typeof read)[]) => {
    const { created, updated, unchanged } = tally.of(...kinds);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    return {
      read: sum(kinds.map((kind) => read[kind])),
      created,
      updated,
      unchanged,
      rejected: sum(kinds.map((kind) => bad.of(kind))),
    };
  };
  const { created, updated, unchanged, rejected, read: properties } = counted('property');
  const entries = counted(...ENTRIES);
  const developments = counted('development');
  const units = counted('unit');
  const unknown = source.unknownNames();
  const unknownNames = [
    ...unknown.types.map(({ names, count: times }) => `type ${names[0]} (${times})`),
    ...unknown.features.map(({ names, count: times }) => `feature ${names[0]} (${times})`),
  ];
  const shown = bad.remembered.slice(0, SHOWN);
  return {
    json: {
      format: source.format,
      dry_run: dryRun,
      properties: { read: properties, written: created + updated, created, updated, unchanged, withdrawn, rejected },
      entries,
      developments,
      units,
      new_channels: newChannels,
      rejected_records: bad.remembered.map(({ line, kind, id, problems }) => ({
        line,
        kind,
        id: id ?? null,
        problems,
      })),
      interpreted: interpreted.map(({ node, kind, times, lines, example }) => ({
        node,
        interpretation: kind,
        meaning: INTERPRETATIONS[kind],
        times,
        lines,
        example,
      })),
      ignored,
      unknown_names: unknown,
    },
    text: [
      ...shown.map((record) => `Rejected: ${describeBad(record)}`),
      more(bad.count - shown.length, 'rejected record'),
      ...interpreted.slice(0, SHOWN).map((one) => `Interpreted: ${describeInterpretation(one)}\n`),
      more(interpreted.length - SHOWN, 'interpretation'),
      ...ignored
        .slice(0, SHOWN)
        .map(({ name, times, line }) => `Not imported: ${name}, ${count(times, 'time')}, first at line ${line}\n`),
      more(ignored.length - SHOWN, 'name'),
      ...unknownNames.slice(0, SHOWN).map((name) => `Unknown name: ${name}\n`),
      more(unknownNames.length - SHOWN, 'unknown name'),
      unknownNames.length === 0
        ? ''
        : 'Unknown names became entries under these names; --write-names writes them as a table for --names.\n',
      ...newChannels.map((name) => `New channel: ${name}\n`),
      ...[['development', developments] as const, ['unit', units] as const].map(
        ([name, { read, created, updated, unchanged, rejected }]) =>
          read === 0
            ? ''
            : `${count(read, name)} read: ${created + updated} written, ${unchanged} unchanged, ${rejected} rejected.\n`,
      ),
      entries.created + entries.updated + entries.rejected === 0
        ? ''
        : `${count(entries.created, 'entry', 'entries')} of types and features created, ${entries.updated} updated` +
          `${entries.rejected === 0 ? '' : `, ${entries.rejected} rejected`}.\n`,
      `${count(properties, 'property', 'properties')} read: ${created + updated} written, ${unchanged} unchanged, `,
      `${withdrawn} withdrawn, ${rejected} rejected.${dryRun ? ' Dry run: nothing was changed.' : ''}\n`,
    ].join(''),
    needsAttention: bad.count > 0 || (Object.values(read).every((number) => number === 0) && ignored.length > 0),
  };
}

function more(number: number, name: string): string {
  return number > 0 ? `… and ${count(number, `more ${name}`)}\n` : '';
}
