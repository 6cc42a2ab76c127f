import { fieldText } from '../properties/differences.ts';
import { fieldOfNode } from '../properties/fields.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import type { Guest } from '../visit.ts';

/** What a node of a file, or a field of a document, is called in the form of a property; one that it lacks, as it is. */
export function nodeText(node: string, guest: Guest): string {
  const [outermost = ''] = node.split(/[/.]/);
  const own = textOf(textsOf(guest, 'imports').nodes, outermost, '');
  if (own !== '') return own;
  const field = fieldOfNode(node.replaceAll('.', '/')) ?? fieldOfNode(outermost);
  return field === undefined ? node : fieldText(field, guest);
}
