import type { PropertyDocument } from '../../portfolio/documents.ts';
import { type Completion, townKey } from '../completion.ts';
import { ImportError } from '../error.ts';
import { KyeroVocabulary } from '../names/names.ts';
import type { KyeroNames } from '../names/names-table.ts';
import { type BadRecord, isBad, type ValidRecord } from '../record.ts';
import type { Notes } from '../results/notes.ts';
import { childText, isEmpty, type XmlNode } from '../xml/node.ts';
import { kyeroProperty } from './property.ts';

interface KyeroOptions {
  /** What the names of types and features stand for. */
  readonly names: KyeroNames;
  /** When a property without a date counts as listed: ISO 8601, whole seconds of UTC. */
  readonly now: string;
  /** Whether a record is rejected if one of its nodes had to be interpreted. */
  readonly strict: boolean;
  readonly notes: Notes;
}

interface TownWithoutProvince {
  readonly town: string;
  readonly line: number;
}

/** Reads the elements of a feed, and collects what concerns more than one record. */
export class KyeroReader {
  readonly vocabulary: KyeroVocabulary;
  readonly notes: Notes;
  /** By a town's spelling, how many records give each province. */
  readonly #provinces = new Map<string, Map<string, number>>();
  readonly #withoutProvince: TownWithoutProvince[] = [];
  readonly #strict: boolean;
  readonly #now: string;
  #version: string | undefined;

  constructor({ names, now, strict, notes }: KyeroOptions) {
    this.notes = notes;
    this.vocabulary = new KyeroVocabulary(names);
    this.#strict = strict;
    this.#now = now;
  }

  /**
   * The record of a child of the root; `undefined` if it is not a record.
   *
   * @throws ImportError if it states another version of the format
   */
  read(node: XmlNode): ValidRecord | BadRecord | undefined {
    if (node.name === 'property') return this.#recordOf(node);
    if (node.name === 'kyero') this.#version = supported(childText(node, 'feed_version'));
    else if (node.name === 'feed_version') {
      this.#version = supported(childText({ ...node, children: [node] }, node.name));
    } else if (!ABOUT_THE_FEED.has(node.name) && !isEmpty(node)) this.notes.ignored(node.name, node.line);
    return undefined;
  }

  /** Reports what is missing, once all elements have been read, and completes it from other records. */
  finish(): Completion {
    const provinces: Record<string, string> = {};
    for (const { town, line } of this.#withoutProvince) {
      const found = this.#provinceOf(town);
      const kind = found === undefined ? 'missing' : 'from_other_records';
      this.notes.interpreted('province', kind, line, found === undefined ? '' : town, found ?? '');
      if (found !== undefined) provinces[townKey(town)] = found;
    }
    if (this.#version === undefined) this.notes.interpreted('kyero/feed_version', 'missing', 1, '', '3');
    return { provinces };
  }

  /** The province that most records give for a town. */
  #provinceOf(town: string): string | undefined {
    const counts = this.#provinces.get(townKey(town)) ?? [];
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  }

  #recordOf(node: XmlNode): ValidRecord | BadRecord {
    const reading = {
      vocabulary: this.vocabulary,
      now: this.#now,
      ignored: this.notes.ignored.bind(this.notes),
      interpreted: this.notes.interpreted.bind(this.notes),
    };
    const record = kyeroProperty(node, reading, this.#strict);
    if (isBad(record)) return record;
    const document = record.document as PropertyDocument;
    this.vocabulary.use(document);
    if (document.province !== '') {
      const counts = this.#provinces.get(townKey(document.town)) ?? new Map<string, number>();
      this.#provinces.set(
        townKey(document.town),
        counts.set(document.province, (counts.get(document.province) ?? 0) + 1),
      );
    } else this.#withoutProvince.push({ town: document.town, line: record.line });
    return record;
  }
}

/** Elements between the records that do not describe any. */
const ABOUT_THE_FEED: ReadonlySet<string> = new Set(['agent', 'feed_generated']);

/** A version 2 or 3 of the format, or an empty version. */
function supported(version: string): string | undefined {
  if (version === '' || /^v?[23](\.\d+)?$/i.test(version)) return version || undefined;
  throw new ImportError(
    'unsupported_format',
    `The file is a Kyero feed of version ${version}; only versions 2 and 3 can be imported.`,
  );
}
