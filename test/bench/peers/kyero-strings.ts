import type Database from 'better-sqlite3';
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
import { escaped, number, text } from './strings.ts';

/** Properties per chunk. */
const AT_ONCE = 100;

/** The same as `stringsFeed` in Kyero's format. */
export function kyeroStringsFeed(db: Database.Database): FeedProgram {
  return function* write(account, languages, pictures) {
    const id = accountId(db, account);
    const names = readKyeroNames(db, id);
    let xml = KYERO_HEAD;
    let count = 0;
    for (const row of readKyeroProperties(db, id, languages)) {
      xml += writeProperty(row, languages, names, pictures);
      if (++count % AT_ONCE === 0) {
        yield xml;
        xml = '';
      }
    }
    yield `${xml}</root>\n`;
  };
}

function writeProperty(row: Row, languages: readonly number[], names: KyeroNames, pictures: number): string {
  let [descriptions, addresses] = ['', ''];
  for (let i = 0; i < languages.length; i++) {
    const both = row[COLUMNS + i];
    if (both === null) continue;
    const end = both.indexOf('\n');
    descriptions += text(KYERO_ELEMENTS[languages[i]!]!, both.slice(end + 1));
    addresses += text(KYERO_ELEMENTS[languages[i]!]!, both.slice(0, end));
  }
  let features = '';
  for (const name of featuresOf(row, names)) features += `<feature>${escaped(name)}</feature>`;
  let images = '';
  let position = 0;
  for (const url of picturesOf(row, pictures)) images += `<image id="${++position}"><url>${escaped(url)}</url></image>`;
  const surface = `${number('built', row[24])}${number('plot', row[25])}`;
  const common = `<part_ownership>${row[11]}</part_ownership><leasehold>${row[12]}</leasehold>\
<new_build>${row[13]}</new_build><type>${escaped(names.types.get(row[14])!)}</type><town>${escaped(row[15])}</town>\
<province>${escaped(row[16])}</province>${text('country', row[17])}\
${row[18] === null ? '' : `<location><latitude>${row[18]}</latitude><longitude>${row[19]}</longitude></location>`}\
${text('location_detail', row[20])}<beds>${row[21]}</beds><baths>${Math.floor(row[22])}</baths><pool>${row[23]}</pool>\
${surface && `<surface_area>${surface}</surface_area>`}\
<energy_rating><consumption>${row[26]}</consumption><emissions>${row[27]}</emissions></energy_rating>\
${addresses && `<url>${addresses}</url>`}<desc>${descriptions}</desc>${features && `<features>${features}</features>`}\
<images>${images}</images>${text('notes', row[31])}</property>\n`;
  const [date, ref] = [dateTime(row[1]), escaped(row[2])];
  let xml = '';
  for (const [suffix, price, frequency] of offersOf(row)) {
    xml += `<property><id>${escaped(row[0])}${suffix}</id><date>${date}</date><ref>${ref}</ref>\
<price>${price === null ? 'x' : Math.round(price)}</price><currency>${row[4]}</currency>\
<price_freq>${frequency}</price_freq>${common}`;
  }
  return xml;
}
