import type { LanguageElement } from '../../lib/languages.ts';
import { da } from './phrases/da.ts';
import { de } from './phrases/de.ts';
import { es } from './phrases/es.ts';
import { fr } from './phrases/fr.ts';
import { nl } from './phrases/nl.ts';
import { no } from './phrases/no.ts';
import { pl } from './phrases/pl.ts';
import { ru } from './phrases/ru.ts';
import { sv } from './phrases/sv.ts';
import { type Phrases, TOPICS, type Topic } from './phrases/topics.ts';
import { uk } from './phrases/uk.ts';
import type { DemoType } from './vocabulary.ts';

const PHRASES: Readonly<Record<LanguageElement, Phrases>> = { uk, es, de, fr, nl, da, ru, sv, pl, no };

/** What a description says about a property, in any language. */
export interface Subject {
  readonly type: DemoType;
  readonly town: string;
  readonly beds: number;
  readonly baths: number;
  /** Square metres. */
  readonly built: number;
  /** Topics that apply to the property; always enough for 300 characters. */
  readonly topics: ReadonlySet<Topic>;
}

/** A description in one language: the topics in order, in paragraphs, at most 3,000 characters. */
export function describe(element: LanguageElement, subject: Subject, lineEnd: '\n' | '\r\n'): string {
  const values: Readonly<Record<string, string | number>> = {
    town: subject.town,
    beds: subject.beds,
    baths: subject.baths,
    built: subject.built,
  };
  const paragraphs = [`${(subject.type.subtype ?? subject.type.type)[element]} – ${subject.town}.`];
  let length = paragraphs[0]?.length ?? 0;
  for (const topic of TOPICS) {
    if (!subject.topics.has(topic)) continue;
    const sentence = PHRASES[element][topic].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    if (length + sentence.length + 4 > 3000) break;
    const last = paragraphs.at(-1) ?? '';
    if (last.length < 320) paragraphs[paragraphs.length - 1] = `${last} ${sentence}`;
    else paragraphs.push(sentence);
    length += sentence.length + 4;
  }
  return paragraphs.join(`${lineEnd}${lineEnd}`);
}
