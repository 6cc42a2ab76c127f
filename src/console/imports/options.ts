import { DEFAULT_MAX_WITHDRAWN } from '../../imports/api/schemas.ts';
import { FORMATS } from '../../imports/formats/formats.ts';
import type { ImportOptions } from '../../imports/runs/imports.ts';
import { actorOf, type Visitor } from '../visit.ts';

/** What forms that import a file once have in common; ticked unless somebody wants it to be imported at once. */
export const ONCE_FIELDS = { replace: { type: 'checkbox' }, dryRun: { type: 'checkbox' } } as const;
export const ONCE_VALUES = { replace: '', dryRun: '1' };

/** How a file is imported once, as such a form says. */
export function optionsIn(visitor: Visitor, fields: URLSearchParams): ImportOptions {
  const dryRun = fields.has('dryRun');
  return {
    actor: actorOf(visitor),
    format: FORMATS.find(({ name }) => name === fields.get('format'))?.name ?? null,
    strict: false,
    channel: null,
    replace: fields.has('replace'),
    maxWithdrawn: DEFAULT_MAX_WITHDRAWN,
    dryRun,
    keepsFile: dryRun,
  };
}
