import type { DocumentProblem } from '../../properties/documents.ts';
import { INTERPRETATIONS, type InterpretationKind } from '../values/interpretation.ts';
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
        const quoted = given === '' ? '' : `"${given}": `;
        problems.push({ field: path, detail: `${quoted}${INTERPRETATIONS[kind]}` });
      }
      reporting.interpreted(path, kind, line, text, as);
    },
  };
}
