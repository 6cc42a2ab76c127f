import { message } from '../../messages/messages.ts';
import { type FieldError, fieldError, type Problem } from '../../problem.ts';

/** A failed operation. */
export interface Failed {
  readonly problem: Problem;
  /** Where in the operation the document is that the fields of the problem belong to, such as `/patch`. */
  readonly document: string;
}

/**
 * The problem of operations that are applied together, if one has failed: that of the first, with the errors of all by where
 * they are in the request's body.
 *
 * @param results `null` for operations that have not failed themselves
 */
export function failureOf(results: readonly (Failed | null)[]): Problem | undefined {
  const first = results.find((failed) => failed !== null);
  if (first === undefined) return undefined;
  const errors = results.flatMap((failed, index): readonly FieldError[] =>
    failed === null ? [] : errorsOf(failed, `/operations/${index}`),
  );
  const { code, detail } = first.problem;
  return { code, detail: `No operation was applied. ${detail}`, errors };
}

function errorsOf({ problem, document }: Failed, operation: string): readonly FieldError[] {
  const { errors = [], reason, parameters } = problem;
  if (errors.length === 0) {
    // Without a reason, the only one is that there is nothing to change.
    const said = reason === undefined ? message('unknown_property') : { code: reason, parameters };
    return [fieldError(operation, said)];
  }
  return errors.map((error) => ({
    ...error,
    pointer: `${operation}${error.pointer === '/id' ? '' : document}${error.pointer}`,
  }));
}
