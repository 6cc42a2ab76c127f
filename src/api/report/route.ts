import { Api } from '../../http/api.ts';
import { ok } from '../../http/operation.ts';
import { ProblemError } from '../../problem.ts';
import { REFUSING_PORTALS, RULES } from '../../rules/all.ts';
import { makeReport, reportView } from '../../rules/report.ts';
import { requireReportAccess, WRONG_PASSWORD } from './access.ts';
import { checkForReader, loadReportParts } from './load.ts';
import { reportQuery, reportSchema } from './schemas.ts';

/** The report on an account's properties, for its clients and for whoever has its password. */
export const report = new Api('Report');

const SHORT = RULES.find(({ code }) => code === 'description_under_30_characters')!;
const WRONG = { headers: { Authorization: `Basic ${btoa('OWNPROPERTIES@DEMO:wrong')}` } };

report.read({
  path: '/v1/report',
  operationId: 'getReport',
  summary: 'What portals reject or misread',
  description:
    'The findings in the listed properties, summarised by rule and in detail by property. The credentials are those of ' +
    'the feed, or an access token. HEAD works as well.',
  middleware: requireReportAccess,
  request: { query: reportQuery },
  responses: { 200: ok(reportSchema, 'The report.') },
  problems: {
    bad_parameter: {
      description: 'a value is not allowed.',
      detail: 'severity must be one of: error, warning, info.',
      request: { query: { severity: 'fatal' } },
    },
    bad_credentials: {
      description: 'the account or the password is wrong.',
      detail: WRONG_PASSWORD,
      request: WRONG,
      headers: ['WWW-Authenticate'],
    },
    too_many_requests: {
      description: 'too many unverified passwords in this minute.',
      request: WRONG,
      when: 'a rate limit is exceeded',
    },
  },
  examples: {
    report: {
      request: { query: { rule: SHORT.code } },
      body: {
        account: 'DEMO',
        summary: {
          properties: 1,
          properties_with_errors: 1,
          ...{ error: 1, warning: 0, info: 0 },
          ...{ languages: ['uk'], portals: [], muted: [] },
        },
        rules: [
          {
            code: SHORT.code,
            severity: SHORT.severity,
            explanation: SHORT.en,
            fix: SHORT.fix.en,
            portals: [...SHORT.portals!],
            properties: 1,
          },
        ],
        properties: [
          {
            id: 'R4100001',
            findings: [{ rule: SHORT.code, node: 'description/uk', value: 'A villa close to the sea.' }],
          },
        ],
      },
    },
  },
  handle: async (c, { query }) => {
    const { code, manifest } = c.var.granted;
    const { reader, ...filter } = query;
    if (reader !== undefined) {
      const { format = REFUSING_PORTALS[0]! } = filter;
      const parts = await checkForReader(c.env.DB, manifest, reader, format);
      if (parts === null) throw new ProblemError({ code: 'bad_parameter', detail: 'reader must name a reader.' });
      return { body: { account: code, ...reportView(makeReport(parts, { ...filter, format }, 'en', manifest.now)) } };
    }
    const { parts, settings } = await loadReportParts(c, code, manifest);
    const made = makeReport(parts, { ...settings, ...filter }, 'en', manifest.now);
    return { body: { account: code, ...reportView(made) } };
  },
});
