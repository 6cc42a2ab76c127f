import type { VocabularyRead } from '../../vocabulary/stored.ts';
import type {
  FeedField,
  FeedProperty,
  FormatNeeds,
  ShownDevelopment,
} from '../build/feed-properties.ts';
import type {
  FeedParameters,
  FurtherParameter,
  ParameterError,
  ParameterSet,
} from './parameters.ts';

/** An account's vocabulary as a format's records repeat it, rendered once. */
export interface Dictionary {
  readonly revision: string;
}

export interface WrittenRecords {
  readonly text: string;
  readonly records: number;
}

/** Where the records of a page stand in their part. */
export interface PartPage {
  /** The development whose units the part has; `null` for a part of properties. */
  readonly development: ShownDevelopment | null;
  readonly recordsBefore: number;
  readonly isLast: boolean;
}

/**
 * A format of what is built from an account's properties, part by part, and cached until they change. It gets the fields that it
 * declares, and no others.
 */
export interface PartFormat<
  Parameters extends FeedParameters = FeedParameters,
  Labels extends Dictionary = Dictionary,
  Field extends FeedField = FeedField,
> extends FormatNeeds {
  /** In cache keys: lower-case ASCII letters. */
  readonly name: string;
  /**
   * The version of the documents' form. It is part of the name of every snapshot and of every ETag, so it must change
   * with any change of the bytes that the same data and parameters give.
   */
  readonly documentFormat: number;
  head(parameters: Parameters): string;
  readonly tail: string;
  /** What is between two parts of the document: nothing by default. */
  readonly separator?: string;
  /** What precedes the first part of developments. Without it, the format shows units as properties only. */
  readonly developments?: string;
  /** The Content-Type of documents and errors: XML by default. */
  readonly mediaType?: string;
  readonly fields: readonly Field[];
  /** @param languages codes, ascending */
  renderDictionary(vocabulary: VocabularyRead, languages: readonly number[]): Labels;
  /** The records of properties, in their order; `page` says where they stand, if they are a page of a part. */
  writeProperties(
    properties: readonly FeedProperty<Field>[],
    parameters: Parameters,
    labels: Labels,
    page?: PartPage,
  ): WrittenRecords;
}

/** What the description of the API says of a feed in a format. */
export interface FormatDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Besides those of every feed. */
  readonly errors: readonly (readonly [
    code: 'bad_parameter' | 'unsupported_parameter',
    description: string,
    message: string,
  ])[];
  readonly examples?: Readonly<Record<string, string>>;
}

/** A format of feeds: which parameters it has, and how its documents are written. */
export interface FeedFormat<
  Parameters extends FeedParameters = FeedParameters,
  Labels extends Dictionary = Dictionary,
  Field extends FeedField = FeedField,
> extends PartFormat<Parameters, Labels, Field>,
    ParameterSet<Parameters> {
  /** What people call it, and its version, given the parameters of a preset. */
  title(preset: URLSearchParams): readonly [name: string, version: number];
  /** The last segment of the path of its feeds; requests may use any letter case. */
  readonly file: string;
  readonly about: FormatDescription;
  /** Parameters that do not decide which bytes a feed has: none by default. */
  readonly furtherParameters?: readonly FurtherParameter[];
  /** Names of parameters that an account can state for all its readers: none by default. */
  readonly accountParameters?: readonly string[];
  /** What a request lacks even with the preset of its reader: nothing by default. */
  missing?(parameters: Parameters): readonly ParameterError[];
  readonly schemas: readonly string[];
}
