/** What a command's exit code says. */
export const EXIT = {
  done: 0,
  /** Nothing was changed, or what was begun is said. */
  failed: 1,
  /** The command line itself. */
  usage: 2,
  /** Done, but something wants attention: records skipped, a file of which nothing was taken, or a finding of the doctor. */
  attention: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Why a command is not carried out, in words for its caller. */
export class Failure extends Error {
  override readonly name = 'Failure';

  /**
   * @param code a stable word for programs
   * @param message what is wrong, and what to do
   */
  constructor(
    readonly code: string,
    message: string,
    readonly exit: ExitCode = EXIT.failed,
  ) {
    super(message);
  }
}

/** The failure that an error is, or that caused it: a library may have made an error of its own of it. */
export function failureIn(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  return error instanceof Error ? failureIn(error.cause) : undefined;
}

/** The reader of the standard output has had enough, as head has: no failure. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}
