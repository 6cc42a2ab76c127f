/** A file that cannot be fetched or imported, or an import that would change more than it may. Nothing was changed. */
export class ImportError extends Error {
  override readonly name = 'ImportError';

  readonly code:
    | ('bad_file' | 'bad_encoding' | 'unsupported_format' | 'too_large' | 'bad_names')
    | ('bad_records' | 'nameless_records' | 'too_many_withdrawn')
    | ('forbidden_address' | 'not_reachable' | 'bad_status' | 'incomplete' | 'unreadable_url');

  constructor(code: ImportError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
