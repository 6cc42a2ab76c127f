import type Database from 'better-sqlite3';
import { fragment } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import {
  accountId,
  dateTime,
  ELEMENTS,
  type FeedProgram,
  firstPictures,
  HEAD,
  headlineOf,
  type Labels,
  ORIENTATION,
  orientationName,
  orientationValues,
  type Row,
  readProperties,
  readVocabulary,
  type Vocabulary,
} from './database.ts';

/** The feed by xmlbuilder2, a property at a time. */
export function xmlbuilderFeed(db: Database.Database): FeedProgram {
  return function* write(account, languages, pictures) {
    const id = accountId(db, account);
    const vocabulary = readVocabulary(db, id, languages);
    yield HEAD;
    for (const row of readProperties(db, id, languages)) {
      const xml = fragment();
      writeProperty(xml.ele('property'), row, languages, vocabulary, pictures);
      yield `${xml.end()}\n`;
    }
    yield '</root>\n';
  };
}

function writeProperty(
  xml: XMLBuilder,
  row: Row,
  languages: readonly number[],
  vocabulary: Vocabulary,
  pictures: number,
): void {
  const add = (parent: XMLBuilder, name: string, value: string | number | null) => {
    if (value !== null && value !== '') parent.ele(name).txt(String(value));
  };
  add(xml, 'id', row[0]);
  add(xml, 'ref', row[1]);
  add(xml, 'last_updated', dateTime(row[2]));
  add(xml, 'status', row[3]);
  add(xml, 'availability', row[3]);
  add(xml, 'currency', row[4]);
  const { price, frequency } = headlineOf(row);
  add(xml, 'price', price);
  add(xml, 'price_freq', frequency);
  add(xml, 'price_minimum', row[8]);
  add(xml, 'longterm', row[9]);
  const type = vocabulary.types.get(row[10])!;
  inLanguages(xml.ele('type'), type.type);
  if (type.subtype.length > 0) inLanguages(xml.ele('subtype'), type.subtype);
  add(xml, 'development_name', row[11]);
  add(xml, 'unit_name', row[12]);
  add(xml, 'town', row[14]);
  add(xml, 'area', row[15]);
  add(xml, 'province', row[16]);
  add(xml, 'country', row[17]);
  add(xml, 'postcode', row[18]);
  if (row[19] !== null) {
    const location = xml.ele('location');
    add(location, 'latitude', row[19]);
    add(location, 'longitude', row[20]);
  }
  add(xml, 'beds', row[21]);
  add(xml, 'baths', Math.floor(row[22]));
  add(xml, 'Bath', row[22]);
  if (row[23] !== null || row[24] !== null || row[25] !== null) {
    const surface = xml.ele('surface_area');
    add(surface, 'built', row[23]);
    add(surface, 'plot', row[24]);
    add(surface, 'terrace', row[25]);
  }
  add(xml, 'terrace', row[25]);
  add(xml, 'living_area', row[26]);
  add(xml, 'built_year', row[27]);
  add(xml, 'community_fees', row[28]);
  add(xml, 'garbage_tax', row[29]);
  add(xml, 'ibi_fees', row[30]);
  add(xml, 'cadastral_ref', row[31]);
  add(xml, 'has_pool', row[32]);
  add(xml, 'has_garden', row[33]);
  add(xml, 'has_garage', row[34]);
  const energy = xml.ele('energy_rating');
  add(energy, 'emissions', row[35]);
  add(energy, 'consumption', row[36]);
  add(xml, 'virtual_tour_url', row[37]);
  add(xml, 'video_url', row[38]);
  const descriptions = languages.flatMap((language, index): Labels => {
    const description = row[42 + index];
    return description === null || description === '' ? [] : [[ELEMENTS[language]!, description]];
  });
  if (descriptions.length > 0) inLanguages(xml.ele('description'), descriptions);
  characteristics(xml, row[39], row[13], languages, vocabulary);
  if (row[40] !== null) {
    const images = xml.ele('images');
    firstPictures(row[40], pictures).forEach((url, index) => {
      add(images.ele('image').att('id', String(index + 1)), 'url', url);
    });
  }
}

function characteristics(
  xml: XMLBuilder,
  features: string | null,
  directions: string | null,
  languages: readonly number[],
  vocabulary: Vocabulary,
): void {
  if (features === null && directions === null) return;
  const values = new Map<number, Labels[]>();
  for (const id of features?.split(',') ?? []) {
    const feature = vocabulary.features.get(id)!;
    values.set(feature.categoryId, [...(values.get(feature.categoryId) ?? []), feature.value]);
  }
  const all = xml.ele('characteristics');
  const addCategory = (name: Labels, labels: readonly Labels[]) => {
    const category = all.ele('category');
    inLanguages(category.ele('name'), name);
    for (const value of labels) inLanguages(category.ele('value'), value);
  };
  if (directions !== null) addCategory(orientationName(languages), orientationValues(directions, languages));
  for (const { id, code, name } of vocabulary.categories) {
    const labels = values.get(id);
    if (labels !== undefined && !(code === ORIENTATION && directions !== null)) addCategory(name, labels);
  }
}

function inLanguages(xml: XMLBuilder, labels: Labels): void {
  for (const [element, label] of labels) xml.ele(element).txt(label);
}
