import { ImportError } from '../../imports/pipeline/error.ts';

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
  if (error instanceof ImportError) return new Failure(error.code, error.message);
  return error instanceof Error ? failureIn(error.cause) : undefined;
}

/** The reader of standard output has closed it, as in `| head`: not a failure. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}
