import type { Child } from 'hono/jsx';
import type { Report } from '../../rules/report.ts';
import { SEVERITY_TONES, type Todo } from '../frame/parts.tsx';

/**
 * What a report on a single property says, in its words.
 *
 * @param actionOf what leads to where a node is changed
 */
export function findingTodos(
  { rules, findings }: Pick<Report, 'rules' | 'findings'>,
  actionOf: (node: string) => Child,
): Todo[] {
  return rules.map(({ code, severity, fix, explanation }) => {
    const { node = '', value } = findings.find(({ rule }) => rule === code) ?? {};
    const why = value ? (
      <>
        {explanation} <code>{value}</code>
      </>
    ) : (
      explanation
    );
    const tone = SEVERITY_TONES[severity];
    return { icon: 'warning', tone, text: fix, why, action: actionOf(node) };
  });
}

/** Whether a finding is about the photographs, which have a page of their own. */
export function isOfPictures(node: string): boolean {
  return node.startsWith('images');
}
