import { ImportError, type MissingProperty } from '../../import/error.ts';

export const EXIT = {
  ok: 0,
  /** Nothing was changed, unless the message states otherwise. */
  failed: 1,
  usage: 2,
  /** Completed with warnings, such as rejected records or a finding of the doctor. */
  warnings: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected error, with a message for the user: what is wrong, and what to do about it. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: string;
  readonly exit: ExitCode;

  constructor(code: string, message: string, exit: ExitCode = EXIT.failed) {
    super(message);
    this.code = code;
    this.exit = exit;
  }
}

export function usageFailure(message: string): Failure {
  return new Failure('usage', message, EXIT.usage);
}

/** The failure that an error is or was caused by: libraries wrap errors in their own. */
export function failureIn(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  if (error instanceof ImportError) {
    const isHeld = error.code === 'too_many_withdrawn';
    const hint = isHeld ? `${firstOf(error.missing)} To withdraw them, use --max-withdrawn 100.` : '';
    return new Failure(error.code, error.message + hint, error.code === 'bad_names' ? EXIT.usage : EXIT.failed);
  }
  return error instanceof Error ? failureIn(error.cause) : undefined;
}

/** The first properties that an import would withdraw, as a sentence after others. */
export function firstOf(properties: readonly MissingProperty[]): string {
  const names = properties.slice(0, 5).map(({ id, ref, town }) => (ref || id) + (town === '' ? '' : ` (${town})`));
  return ` ${properties.length > names.length ? 'The first are' : 'They are'} ${names.join(', ')}.`;
}

/** The reader of standard output has closed it, as in `| head`: not a failure. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}
