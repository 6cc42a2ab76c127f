/**
 * A plain program that imports only the feeds of `data/kyero.ts`: it reads them with the same SAX parser and writes a
 * new account with Node's SQLite, in one transaction, without checks and comparisons.
 *
 * Arguments: the feed, a database that has the tables.
 */
import { createReadStream } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SaxesParser } from 'saxes';

const [feed, file] = process.argv.slice(2);
const db = new DatabaseSync(file!);
db.exec('PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON');

const insert = (table: string, columns: string) =>
  db.prepare(
    `INSERT INTO ${table} (${columns}) VALUES (${columns
      .split(', ')
      .map(() => '?')
      .join(', ')})`,
  );
const list = db.prepare("UPDATE properties SET status = 'Available' WHERE id = ?");
const types = insert('property_types', 'account_id, code');
const typeLabels = insert('property_type_labels', 'type_id, language, older_type, type');
const featureRows = insert('features', 'account_id, category_id, code');
const featureLabels = insert('feature_labels', 'feature_id, language, label');
const rows = insert(
  'properties',
  'account_id, sequence_number, identifier, reference, type_id, status, listed_at, source_changed_at, currency, town, ' +
    'province, country, latitude, longitude, beds, bath, built_area, plot_area, has_pool, for_sale, sale_price, ' +
    'for_long_term, monthly_rent, for_short_term, low_season_rent, features, pictures',
);
const texts = insert('property_texts', 'property_id, language, description');

/** The texts of a record by element; several for repeated elements. */
type Fields = Record<string, string[]>;

const typeIds = new Map<string, number>();
const featureIds = new Map<string, number>();
let number = 0;

db.exec('BEGIN');
const account = Number(
  insert('accounts', 'code, name, password').run('PEER', 'Peer', '$pbkdf2-sha256$i=1$AA==$AA==').lastInsertRowid,
);
const category = Number(insert('feature_categories', 'account_id, code').run(account, 'Features').lastInsertRowid);
for await (const fields of records(feed!)) write(fields);
db.exec('COMMIT');
db.close();

function write(fields: Fields): void {
  const [one, many] = [(name: string) => fields[name]?.[0] ?? '', (name: string) => fields[name] ?? []];
  const changed = Date.parse(`${one('date').replace(' ', 'T')}Z`) / 1000;
  const frequency = one('price_freq');
  const price = one('price') === 'x' ? null : Number(one('price'));
  const id = Number(
    rows.run(
      ...[
        account,
        ++number,
        one('id'),
        one('ref'),
        typeId(one('type')),
        'Withdrawn',
        changed,
        changed,
        one('currency'),
      ],
      ...[one('town'), one('province'), one('country'), Number(one('latitude')), Number(one('longitude'))],
      ...[Number(one('beds')), Number(one('baths')), Number(one('built')), Number(one('plot')) || null],
      Number(one('pool')),
      ...['sale', 'month', 'week'].flatMap((offer) => (offer === frequency ? [1, price] : [0, null])),
      [...new Set(many('feature'))].map(featureId).join(',') || null,
      many('url').join('\n') || null,
    ).lastInsertRowid,
  );
  texts.run(id, 1, one('en'));
  texts.run(id, 2, one('es'));
  list.run(id);
}

function typeId(name: string): number {
  return known(typeIds, name, () => {
    const { lastInsertRowid } = types.run(account, name);
    typeLabels.run(lastInsertRowid, 1, name, name);
    return Number(lastInsertRowid);
  });
}

function featureId(name: string): number {
  return known(featureIds, name, () => {
    const { lastInsertRowid } = featureRows.run(account, category, name);
    featureLabels.run(lastInsertRowid, 1, name);
    return Number(lastInsertRowid);
  });
}

function known(ids: Map<string, number>, name: string, make: () => number): number {
  const id = ids.get(name) ?? make();
  ids.set(name, id);
  return id;
}

async function* records(path: string): AsyncGenerator<Fields> {
  const parser = new SaxesParser();
  let fields: Fields = {};
  let done: Fields[] = [];
  let text = '';
  parser.on('opentag', ({ name }) => {
    if (name === 'property') fields = {};
    text = '';
  });
  parser.on('text', (more) => {
    text += more;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'property') done.push(fields);
    else fields[name] = [...(fields[name] ?? []), text.trim()];
    text = '';
  });
  for await (const chunk of createReadStream(path, 'utf8')) {
    parser.write(chunk);
    yield* done;
    done = [];
  }
  parser.close();
  yield* done;
}
