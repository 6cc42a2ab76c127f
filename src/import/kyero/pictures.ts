import { ownText, trimmed, type XmlNode } from '../xml/node.ts';
import { childrenByName, childrenWithNames, type KyeroReading } from './reading.ts';

/** Maximum length of a URL in bytes, and maximum number of pictures of a property. */
const LONGEST_ADDRESS = 1024;
const MOST = 1000;

/** URLs in the order of their ids; those with equal ids, and those without, in the order of the file. */
export function picturesOf(node: XmlNode, reading: KyeroReading): string[] {
  const images = childrenWithNames(node, ['image', 'url'], reading);
  const sorted = images.toSorted((a, b) => numberOf(a) - numberOf(b));
  const addresses = new Set<string>();
  for (const image of sorted) {
    const address = addressOf(image, reading);
    if (address === '') continue;
    if (addresses.has(address)) reading.interpreted('images/image', 'repeated', image.line, address, address);
    addresses.add(address);
  }
  if (addresses.size > MOST) reading.interpreted(node.name, 'too_many', node.line, `${addresses.size}`, MOST);
  return [...addresses].slice(0, MOST);
}

function numberOf({ attributes }: XmlNode): number {
  const number = Number.parseInt(attributes.id ?? '', 10);
  return Number.isNaN(number) ? Number.MAX_SAFE_INTEGER : number;
}

/** The URL of a picture: in an element of its own, as text, or in an attribute. */
function addressOf(image: XmlNode, reading: KyeroReading): string {
  const [only, second] = image.children;
  const url =
    only?.name === 'url' && second === undefined
      ? only
      : childrenByName({ ...image, name: 'images/image', text: '' }, ['url'], reading).url;
  const inAttribute = image.attributes.url ?? image.attributes.src ?? image.attributes.href ?? '';
  const text = url === undefined ? '' : trimmed(url);
  const given = text || ownText(image) || inAttribute.trim();
  if (given !== text) reading.interpreted('images/image', 'spelling', image.line, given, given);
  const oneLine = given.includes('\n') ? given.replaceAll(/\s*\n\s*/g, '') : given;
  // Feeds of this service append the fragment to the URL of a picture without the name of an image.
  const address = oneLine.endsWith('#.jpg') ? oneLine.slice(0, -'#.jpg'.length) : oneLine;
  if (address.length * 3 <= LONGEST_ADDRESS || new TextEncoder().encode(address).length <= LONGEST_ADDRESS)
    return address;
  reading.interpreted('images/image', 'out_of_bounds', image.line, address, undefined);
  return '';
}
