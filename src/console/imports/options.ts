import { DEFAULT_MAX_WITHDRAWN } from '../../imports/api/schemas.ts';
import { FORMATS } from '../../imports/formats/formats.ts';
import type { ImportOptions } from '../../imports/runs/imports.ts';
import { actorOf, type Visitor } from '../visit.ts';

/** Characters of a file's name that are kept. */
const MAX_NAME = 200;

/** What forms that import a file once have in common; ticked unless somebody wants it to be imported at once. */
export const ONCE_FIELDS = { replace: { type: 'checkbox' }, dryRun: { type: 'checkbox' } } as const;
export const ONCE_VALUES = { replace: '', dryRun: '1' };

/**
 * How a file is imported once, as such a form says.
 *
 * @param fileName what people call it
 */
export function optionsIn(
  visitor: Visitor,
  fields: URLSearchParams,
  fileName: string,
): ImportOptions {
  const dryRun = fields.has('dryRun');
  return {
    actor: actorOf(visitor),
    format: FORMATS.find(({ name }) => name === fields.get('format'))?.name ?? null,
    strict: false,
    channel: null,
    replace: fields.has('replace'),
    maxWithdrawn: DEFAULT_MAX_WITHDRAWN,
    fileName: fileName.slice(0, MAX_NAME),
    dryRun,
    keepsFile: dryRun,
  };
}
