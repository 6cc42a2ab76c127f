import { FINDINGS } from '../../rules/report/findings.ts';
import type { FeedField } from '../build/feed-properties.ts';
import type { FeedFormat, PartFormat } from './format.ts';
import { IDEALISTA } from './idealista/format.ts';
import { KYERO } from './kyero/format.ts';
import { RESALES } from './resales/format.ts';

export const FORMATS: readonly FeedFormat[] = [RESALES, KYERO, IDEALISTA];

/** The fields of a property that some feed shows. What is in none of them is for the agency alone. */
export const SHOWN_FIELDS: readonly FeedField[] = [
  ...new Set(FORMATS.flatMap(({ fields }) => fields)),
];

/** The formats besides that of `CreateXMLFeedV3.asp`, which is the usual one. */
export const OTHER_FORMATS = FORMATS.filter((format) => format !== RESALES);

const BY_FILE = new Map(FORMATS.map((format) => [format.file.toLowerCase(), format]));

/**
 * The format of the feed at a path: its last segment names it, in any letter case. The directory may be any but the API's, where
 * a source or a reader can have the name of a file.
 */
export function formatAt(path: string): FeedFormat | undefined {
  return path.startsWith('/v1/')
    ? undefined
    : BY_FILE.get(path.slice(path.lastIndexOf('/') + 1).toLowerCase());
}

/** The name of a format and its documents' form in the names of snapshots. */
export function versionOf({
  name,
  documentFormat,
}: Pick<PartFormat, 'name' | 'documentFormat'>): string {
  return `${name}-${documentFormat}`;
}

/** The versions of all formats: snapshots of any other version are stale. */
export const CURRENT_VERSIONS: readonly string[] = [...FORMATS, FINDINGS].map(versionOf);
