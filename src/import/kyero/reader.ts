import { Failure } from '../../cli/command/failure.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { KyeroVocabulary } from '../names/names.ts';
import type { KyeroNames } from '../names/names-table.ts';
import { type BadRecord, isBad, type ValidRecord } from '../record.ts';
import { IgnoredNodes } from '../results/ignored-nodes.ts';
import { Interpretations } from '../results/interpretations.ts';
import { childText, isEmpty, type XmlNode } from '../xml/node.ts';
import { kyeroProperty } from './property.ts';
import { Provinces } from './provinces.ts';

export interface KyeroOptions {
  /** What the names of types and features stand for. */
  readonly names: KyeroNames;
  /** When a property without a date counts as listed. */
  readonly now: Date;
  /** Whether a record is rejected if one of its nodes had to be interpreted. */
  readonly strict: boolean;
}

interface TownWithoutProvince {
  readonly town: string;
  readonly line: number;
}

/** Reads the elements of a feed, and collects what concerns more than one record. */
export class KyeroReader {
  readonly vocabulary: KyeroVocabulary;
  readonly ignored = new IgnoredNodes();
  readonly interpretations = new Interpretations();
  readonly provinces = new Provinces();
  readonly #withoutProvince: TownWithoutProvince[] = [];
  readonly #strict: boolean;
  readonly #now: string;
  #version: string | undefined;

  constructor({ names, now, strict }: KyeroOptions) {
    this.vocabulary = new KyeroVocabulary(names);
    this.#strict = strict;
    this.#now = `${now.toISOString().slice(0, 19)}Z`;
  }

  /**
   * The record of a child of the root; `undefined` if it is not a record.
   *
   * @throws Failure if it states another version of the format
   */
  read(node: XmlNode): ValidRecord | BadRecord | undefined {
    if (node.name === 'property') return this.#recordOf(node);
    if (node.name === 'kyero') this.#version = supported(childText(node, 'feed_version'));
    else if (node.name === 'feed_version') {
      this.#version = supported(childText({ ...node, children: [node] }, node.name));
    } else if (!ABOUT_THE_FEED.has(node.name) && !isEmpty(node)) this.ignored.add(node.name, node.line);
    return undefined;
  }

  /** Reports what is missing, once all elements have been read. */
  finish(): void {
    for (const { town, line } of this.#withoutProvince) {
      const found = this.provinces.of(town);
      const kind = found === undefined ? 'missing' : 'from_other_records';
      this.interpretations.add('province', kind, line, town, found ?? '');
    }
    if (this.#version === undefined) this.interpretations.add('kyero/feed_version', 'missing', 1, '', '3');
  }

  #recordOf(node: XmlNode): ValidRecord | BadRecord {
    const reading = {
      vocabulary: this.vocabulary,
      now: this.#now,
      ignored: this.ignored.add.bind(this.ignored),
      interpreted: this.interpretations.add.bind(this.interpretations),
    };
    const record = kyeroProperty(node, reading, this.#strict);
    if (isBad(record)) return record;
    const document = record.document as PropertyDocument;
    this.vocabulary.use(document);
    if (document.province !== '') this.provinces.add(document.town, document.province);
    else this.#withoutProvince.push({ town: document.town, line: record.line });
    return record;
  }
}

/** Elements between the records that do not describe any. */
const ABOUT_THE_FEED: ReadonlySet<string> = new Set(['agent', 'feed_generated']);

/** A version 3 of the format, or an empty version. */
function supported(version: string): string | undefined {
  if (version === '' || /^v?3(\.\d+)?$/i.test(version)) return version || undefined;
  throw new Failure(
    'unsupported_format',
    `The file is a Kyero feed of version ${version}; only version 3 can be imported.`,
  );
}
