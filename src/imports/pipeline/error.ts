import { type CodedMessage, inEnglish } from '../../messages/messages.ts';
import type { PropertyDocument } from '../../properties/documents.ts';

/** A listed property that a file does not have. */
export type MissingProperty = Pick<PropertyDocument, 'id' | 'ref' | 'town'>;

/** A file that cannot be fetched or imported, or an import that would change more than it may. Nothing was changed. */
export class ImportError extends Error {
  override readonly name = 'ImportError';

  /** What kind of thing is wrong. */
  readonly code:
    | ('bad_file' | 'bad_encoding' | 'unsupported_format' | 'too_large')
    | ('bad_records' | 'nameless_records' | 'too_many_withdrawn')
    | ('forbidden_address' | 'not_reachable' | 'bad_status' | 'incomplete' | 'unreadable_url');

  readonly reason: CodedMessage;

  /** With `too_many_withdrawn`: what it would withdraw. */
  readonly missing: readonly MissingProperty[];

  constructor(
    code: ImportError['code'],
    reason: CodedMessage,
    missing: readonly MissingProperty[] = [],
  ) {
    super(inEnglish(reason));
    this.code = code;
    this.reason = reason;
    this.missing = missing;
  }
}
