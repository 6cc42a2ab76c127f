import { Api } from '../../http/api.ts';
import { ok } from '../../http/operation.ts';
import { REVALIDATED } from '../../http/page.ts';
import { describeError, log } from '../../lib/log.ts';
import { RULES } from '../../rules/all.ts';
import { makeReport, reportView } from '../../rules/report.ts';
import { requireReportAccess } from './access.ts';
import { loadFindings } from './load.ts';
import { reportQuery, reportSchema } from './schemas.ts';
import { loadAccountState } from './state.ts';

/** The report on an account's properties, for its clients and for whoever has its password. */
export const report = new Api('Report');

const SHORT = RULES.find(({ code }) => code === 'description_under_30_characters')!;
const WRONG = { headers: { Authorization: `Basic ${btoa('OWNPROPERTIES@DEMO:wrong')}` } };

report.operation(
  {
    method: 'get',
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
        detail: 'The account or the password is wrong.',
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
  },
  async (c) => {
    const { code, manifest } = c.var.reported;
    const onFailure = (error: unknown) =>
      log('error', 'report.failed', { requestId: c.var.requestId, error: describeError(error) });
    const loading = Promise.all([
      loadFindings(c.env, c.executionCtx, code, manifest, onFailure),
      loadAccountState(c.env.DB, manifest.accountId),
    ]);
    const [parts, { settings, part }] = await loading;
    const made = makeReport([...parts, part], { ...settings, ...c.req.valid('query') }, 'en', manifest.now);
    return c.json({ account: code, ...reportView(made) }, 200, REVALIDATED);
  },
);
