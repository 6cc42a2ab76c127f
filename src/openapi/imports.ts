import { XML_FORMATS } from '../imports/formats/formats.ts';
import type { RecordFormat } from '../imports/formats/nodes.ts';
import { inEnglish } from '../messages/messages.ts';

/** What imports read of a file, from the tables that read it, in Markdown. */
export function importedNodes(): string {
  return [
    '## Files to import',
    '',
    'Nodes are read in any letter case; in brackets, other names of a node. All other nodes are ' +
      'reported. `application/x-ndjson` has a document a line, as in `/schemas/property.json`.',
    '',
    ...XML_FORMATS.flatMap(({ title, content }) => [
      `${inEnglish(title)}: ${namesOf(content.nodes)}.`,
      '',
    ]),
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
