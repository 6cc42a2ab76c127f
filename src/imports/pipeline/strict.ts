import { message } from '../../messages/messages.ts';
import type { DocumentProblem } from '../../properties/documents.ts';
import type { InterpretationKind } from '../values/interpretation.ts';
import type { Reporting } from './notes.ts';

/** Reports on, and adds a problem for each interpretation that fails a strict import. */
export function strictReporting(
  reporting: Reporting,
  problems: DocumentProblem[],
  fails: (path: string, kind: InterpretationKind) => boolean,
): Reporting {
  return {
    ignored: (path, line) => reporting.ignored(path, line),
    interpreted(path, kind, line, text, as) {
      if (fails(path, kind)) {
        const given = text.length > 60 ? `${text.slice(0, 60)}…` : text;
        const problem = message(kind);
        problems.push({
          field: path,
          message: given === '' ? problem : message('of_value', { value: given, problem }),
        });
      }
      reporting.interpreted(path, kind, line, text, as);
    },
  };
}
