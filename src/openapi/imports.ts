import { KYERO } from '../imports/formats/kyero/format.ts';
import type { RecordFormat } from '../imports/formats/nodes.ts';
import { RESALES } from '../imports/formats/resales/property.ts';

/** What imports read of a file, from the tables that read it, in Markdown. */
export function importedNodes(): string {
  return [
    '## Files to import',
    '',
    'Kyero’s format, version 3, and the feed of ReSales-Online, in any letter case; in brackets, other names of a node. All other ' +
      'nodes are reported. `application/x-ndjson` has a document a line, as in `/schemas/property.json`.',
    '',
    `In Kyero’s format: ${namesOf(KYERO)}.`,
    '',
    `In ReSales-Online’s: ${namesOf(RESALES)}.`,
    '',
  ].join('\n');
}

function namesOf({ nodes, aliases }: RecordFormat): string {
  const others = Map.groupBy(aliases, ([, name]) => name);
  const shown = [...nodes.keys()].map((name) => {
    const also = (others.get(name) ?? []).map(([alias]) => `\`${alias}\``);
    return also.length === 0 ? `\`${name}\`` : `\`${name}\` (${also.join(', ')})`;
  });
  return shown.join(', ');
}
