import type { InferredOptionTypes } from 'yargs';
import { LANGUAGES } from '../../lib/languages.ts';
import { RULES } from '../../rules/all.ts';
import { PORTALS, type Portal } from '../../rules/portals.ts';
import type { ReportFilter } from '../../rules/report.ts';
import type { Severity } from '../../rules/rule.ts';
import { usageFailure } from '../command/failure.ts';
import { choice, flag, text } from '../command/options.ts';
import { PROGRESS } from '../import/progress.ts';

export const REPORT_OPTIONS = {
  portal: choice(
    Object.keys(PORTALS) as Portal[],
    'Only what applies to this portal; by default, what applies to all and to those of the account',
  ),
  severity: choice(['error', 'warning', 'info'] satisfies readonly Severity[], 'Only findings of this severity'),
  rule: text('Only findings of the rule with this code'),
  property: text('Only findings in the property with this id'),
  language: text('The languages that every description is expected in, such as uk,es; by default those that half have'),
  links: flag('Also request every picture and web page, and report those that no longer exist'),
  progress: PROGRESS,
} as const;

export function reportFilter({
  portal,
  severity,
  rule,
  property,
  language,
}: Partial<InferredOptionTypes<typeof REPORT_OPTIONS>>): ReportFilter {
  if (rule !== undefined && !RULES.some(({ code }) => code === rule)) {
    throw usageFailure(`--rule: there is no rule ${rule}. Their codes are in src/rules/README.md.`);
  }
  const languages = language?.split(',').map((name) => name.trim());
  const unknown = languages?.find((name) => !LANGUAGES.some(({ element }) => element === name));
  if (unknown !== undefined) {
    throw usageFailure(`--language: ${unknown} is none of ${LANGUAGES.map(({ element }) => element).join(', ')}.`);
  }
  return { portal, severity, rule, property, languages };
}
