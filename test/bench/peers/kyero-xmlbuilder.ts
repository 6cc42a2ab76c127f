import type Database from 'better-sqlite3';
import { fragment } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import { accountId, dateTime, type FeedProgram, type Row } from './database.ts';
import {
  COLUMNS,
  featuresOf,
  KYERO_ELEMENTS,
  KYERO_HEAD,
  type KyeroNames,
  offersOf,
  picturesOf,
  readKyeroNames,
  readKyeroProperties,
} from './kyero-database.ts';

/** The same as `xmlbuilderFeed` in Kyero's format. */
export function kyeroXmlbuilderFeed(db: Database.Database): FeedProgram {
  return function* write(account, languages, pictures) {
    const id = accountId(db, account);
    const names = readKyeroNames(db, id);
    yield KYERO_HEAD;
    for (const row of readKyeroProperties(db, id, languages)) {
      for (const offer of offersOf(row)) {
        const xml = fragment();
        writeRecord(xml.ele('property'), row, offer, { languages, names, pictures });
        yield `${xml.end()}\n`;
      }
    }
    yield '</root>\n';
  };
}

interface Choice {
  readonly languages: readonly number[];
  readonly names: KyeroNames;
  readonly pictures: number;
}

function writeRecord(
  xml: XMLBuilder,
  row: Row,
  [suffix, price, frequency]: ReturnType<typeof offersOf>[number],
  { languages, names, pictures }: Choice,
): void {
  const add = (parent: XMLBuilder, name: string, value: string | number | null) => {
    if (value !== null && value !== '') parent.ele(name).txt(String(value));
  };
  add(xml, 'id', `${row[0]}${suffix}`);
  add(xml, 'date', dateTime(row[1]));
  add(xml, 'ref', row[2]);
  add(xml, 'price', price === null ? 'x' : Math.round(price));
  add(xml, 'currency', row[4]);
  add(xml, 'price_freq', frequency);
  add(xml, 'part_ownership', row[11]);
  add(xml, 'leasehold', row[12]);
  add(xml, 'new_build', row[13]);
  add(xml, 'type', names.types.get(row[14])!);
  add(xml, 'town', row[15]);
  add(xml, 'province', row[16]);
  add(xml, 'country', row[17]);
  if (row[18] !== null) {
    const location = xml.ele('location');
    add(location, 'latitude', row[18]);
    add(location, 'longitude', row[19]);
  }
  add(xml, 'location_detail', row[20]);
  add(xml, 'beds', row[21]);
  add(xml, 'baths', Math.floor(row[22]));
  add(xml, 'pool', row[23]);
  if (row[24] !== null || row[25] !== null) {
    const surface = xml.ele('surface_area');
    add(surface, 'built', row[24]);
    add(surface, 'plot', row[25]);
  }
  const energy = xml.ele('energy_rating');
  add(energy, 'consumption', row[26]);
  add(energy, 'emissions', row[27]);
  const texts = languages.flatMap((language, index) => {
    const both = row[COLUMNS + index] as string | null;
    const end = both?.indexOf('\n') ?? 0;
    return both === null
      ? []
      : [{ name: KYERO_ELEMENTS[language]!, address: both.slice(0, end), description: both.slice(end + 1) }];
  });
  if (texts.some(({ address }) => address !== '')) {
    const url = xml.ele('url');
    for (const { name, address } of texts) add(url, name, address);
  }
  const description = xml.ele('desc');
  for (const { name, description: text } of texts) add(description, name, text);
  const features = featuresOf(row, names);
  if (features.size > 0) {
    const all = xml.ele('features');
    for (const name of features) add(all, 'feature', name);
  }
  const images = xml.ele('images');
  picturesOf(row, pictures).forEach((url, index) => {
    add(images.ele('image').att('id', String(index + 1)), 'url', url);
  });
  add(xml, 'notes', row[31]);
}
