import { type Listing, numberIn } from './listing.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&#13;': '\r',
  '&amp;': '&',
};

/**
 * Reads a feed without parsing it: cuts the text at `<property>` and `</property>`, and extracts nodes from each piece by
 * case-insensitive regular expressions.
 */
export function readByCutting(feed: string): Listing[] {
  return feed
    .split('<property>')
    .slice(1)
    .map((piece) => {
      const end = piece.indexOf('</property>');
      if (end < 0) throw new Error('A record does not end');
      return listingIn(piece.slice(0, end));
    });
}

function listingIn(record: string): Listing {
  const area = pick(record, 'SURFACE_AREA');
  return {
    id: text(pick(record, 'ID')),
    ref: text(pick(record, 'REF')),
    price: numberIn(pick(record, 'PRICE')),
    town: text(pick(record, 'TOWN')),
    province: text(pick(record, 'PROVINCE')),
    beds: Number(pick(record, 'BEDS')),
    baths: Number(pick(record, 'BATHS')),
    type: text(pick(pick(record, 'TYPE'), 'UK')),
    subtype: text(pick(pick(record, 'SUBTYPE'), 'UK')),
    built: numberIn(pick(area, 'BUILT')),
    terrace: numberIn(pick(area, 'TERRACE')),
    pool: pick(record, 'HAS_POOL') === '1',
    description: text(pick(pick(record, 'DESCRIPTION'), 'UK')),
    features: pickAll(record, 'VALUE').flatMap((value) => pickAll(value, 'UK').map(text)),
    pictures: pickAll(pick(record, 'IMAGES') ?? '', 'URL').map(text),
    forRent: pick(record, 'SHORTTERM_LOW') !== undefined,
    newBuild: pick(record, 'DEVELOPMENT_NAME') !== undefined,
  };
}

/** The content of the first element with a name. */
function pick(from: string | undefined, name: string): string | undefined {
  return from === undefined ? undefined : pickAll(from, name)[0];
}

function pickAll(from: string, name: string): string[] {
  return [...from.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'gi'))].map(([, inner]) => inner!);
}

function text(escaped: string | undefined): string {
  return (escaped ?? '').replace(/&(lt|gt|quot|apos|amp|#13);/g, (entity) => ENTITIES[entity]!);
}
