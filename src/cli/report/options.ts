import { LANGUAGES } from '../../lib/languages.ts';
import { RULES } from '../../rules/all.ts';
import { PORTALS, type Portal } from '../../rules/portals.ts';
import type { ReportFilter } from '../../rules/report.ts';
import type { Severity } from '../../rules/rule.ts';
import { usageFailure } from '../command/failure.ts';

/** The options of commands that print a report. */
export const REPORT_OPTIONS = {
  portal: {
    choices: Object.keys(PORTALS) as Portal[],
    requiresArg: true,
    describe: 'Only what applies to this portal; by default, what applies to all and to those of the account',
  },
  severity: {
    choices: ['error', 'warning', 'info'] as const satisfies readonly Severity[],
    requiresArg: true,
    describe: 'Only findings of this severity',
  },
  rule: { type: 'string', requiresArg: true, describe: 'Only findings of the rule with this code' },
  property: { type: 'string', requiresArg: true, describe: 'Only findings in the property with this id' },
  language: {
    type: 'string',
    requiresArg: true,
    describe: 'The languages that every description is expected in, such as uk,es; by default those that half have',
  },
  links: {
    type: 'boolean',
    default: false,
    describe: 'Also request every picture and web page, and report those that no longer exist',
  },
  progress: {
    type: 'boolean',
    default: process.stderr.isTTY === true,
    defaultDescription: 'on a terminal',
    describe: 'Show progress on the standard error',
  },
} as const;

interface GivenOptions {
  readonly portal?: Portal | undefined;
  readonly severity?: Severity | undefined;
  readonly rule?: string | undefined;
  readonly property?: string | undefined;
  readonly language?: string | undefined;
}

/**
 * The filter that the options describe.
 *
 * @throws Failure `usage` if a rule or a language is unknown
 */
export function reportFilter({ portal, severity, rule, property, language }: GivenOptions): ReportFilter {
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
