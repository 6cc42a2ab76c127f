import { LANGUAGES } from '../lib/languages.ts';
import { REFUSING_PORTALS, RULES } from '../rules/all.ts';
import { PORTALS, type Portal } from '../rules/portals.ts';
import type { ReportFilter } from '../rules/report.ts';
import { SEVERITIES, type Severity } from '../rules/rule.ts';

/** What a report's query asks for, or what is wrong with it. Unknown parameters are ignored. */
export function parseReportQuery(query: URLSearchParams): ReportFilter | { readonly error: string } {
  const known = {
    portal: Object.keys(PORTALS),
    format: REFUSING_PORTALS,
    severity: SEVERITIES,
    rule: RULES.map(({ code }) => code),
  };
  for (const [name, allowed] of Object.entries(known)) {
    const value = query.get(name);
    if (value !== null && !(allowed as readonly string[]).includes(value)) {
      return { error: `${name} must be one of: ${allowed.join(', ')}.` };
    }
  }
  const elements = LANGUAGES.map(({ element }) => element);
  const languages = query
    .get('languages')
    ?.split(',')
    .map((language) => language.trim());
  if (languages?.some((language) => !(elements as readonly string[]).includes(language))) {
    return { error: `languages must be some of ${elements.join(', ')}, separated by commas.` };
  }
  return {
    portal: (query.get('portal') as Portal | null) ?? undefined,
    format: (query.get('format') as Portal | null) ?? undefined,
    severity: (query.get('severity') as Severity | null) ?? undefined,
    rule: query.get('rule') ?? undefined,
    property: query.get('property') ?? undefined,
    languages,
  };
}
