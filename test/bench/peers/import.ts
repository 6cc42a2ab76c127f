/**
 * A plain program that imports only the feeds of `data/kyero.ts`: it reads them with the same SAX parser and stores each record
 * and its texts by Node's SQLite, in one transaction, without checks and comparisons.
 *
 * Arguments: the feed, and the database file.
 */
import { createReadStream } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SaxesParser } from 'saxes';

const [feed, file] = process.argv.slice(2);
const db = new DatabaseSync(file!);
db.exec(`PRAGMA journal_mode = WAL;
  CREATE TABLE properties (id TEXT PRIMARY KEY, price REAL, town TEXT, beds INTEGER, pictures TEXT, features TEXT, rest TEXT);
  CREATE TABLE texts (property TEXT, language TEXT, text TEXT, PRIMARY KEY (property, language))`);
const property = db.prepare('INSERT INTO properties VALUES (?, ?, ?, ?, ?, ?, ?)');
const text = db.prepare('INSERT INTO texts VALUES (?, ?, ?)');

/** The texts of a record by element; several for repeated elements. */
type Fields = Record<string, string[]>;

function store(fields: Fields): void {
  const one = (name: string) => fields[name]?.[0] ?? '';
  const lists = [fields.url?.join('\n') ?? null, fields.feature?.join('\n') ?? null];
  property.run(one('id'), Number(one('price')), one('town'), Number(one('beds')), ...lists, JSON.stringify(fields));
  for (const language of ['en', 'es']) text.run(one('id'), language, one(language));
}

const parser = new SaxesParser();
let fields: Fields = {};
let content = '';
parser.on('opentag', ({ name }) => {
  if (name === 'property') fields = {};
  content = '';
});
parser.on('text', (more) => {
  content += more;
});
parser.on('closetag', ({ name }) => {
  if (name === 'property') store(fields);
  else fields[name] = [...(fields[name] ?? []), content.trim()];
  content = '';
});
db.exec('BEGIN');
for await (const chunk of createReadStream(feed!, 'utf8')) parser.write(chunk);
parser.close();
db.exec('COMMIT');
db.close();
