import type { ImportFormat, LinesContent, XmlContent } from './format.ts';
import { KYERO_FORMAT } from './kyero/source.ts';
import { NDJSON_FORMAT } from './ndjson/source.ts';
import { RESALES_FORMAT } from './resales/source.ts';

/** Every format that can be imported. Of several that a record is equally like, it is the first. */
export const FORMATS: readonly ImportFormat[] = [KYERO_FORMAT, RESALES_FORMAT, NDJSON_FORMAT];

export const FORMAT_NAMES: readonly string[] = FORMATS.map(({ name }) => name);

export interface XmlFormat extends ImportFormat {
  readonly content: XmlContent;
}

export interface LinesFormat extends ImportFormat {
  readonly content: LinesContent;
}

export const XML_FORMATS: readonly XmlFormat[] = FORMATS.filter(
  (format): format is XmlFormat => format.content.kind === 'xml',
);

export const LINES_FORMATS: readonly LinesFormat[] = FORMATS.filter(
  (format): format is LinesFormat => format.content.kind === 'lines',
);
