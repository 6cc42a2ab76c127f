import type { Context } from 'hono';
import type { AppEnv } from '../env.ts';
import { loadManifest } from '../feed/manifest-cache.ts';
import { describeError, log } from '../lib/log.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import { FINDINGS_SET, loadFindings } from '../report/load.ts';
import { loadRuleTexts } from '../report/load-texts.ts';
import { parseReportQuery } from '../report/query.ts';
import { requestId } from '../request-log.ts';
import { makeReport, type Report, type ReportFilter } from '../validator/report.ts';
import type { Visitor } from './page.tsx';

/**
 * The report on an account's properties that a query asks for; `null` if a value of the query is not allowed.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function loadReport(
  c: Context<AppEnv>,
  { account: { code } }: Visitor,
): Promise<{ readonly report: Report; readonly filter: ReportFilter } | null> {
  const given = Object.entries(c.req.query()).filter(([, value]) => value !== '');
  const filter = parseReportQuery(new URLSearchParams(given));
  if ('error' in filter) return null;
  const loaded = loadManifest(c.env.DB, code, FINDINGS_SET, Date.now());
  const { manifest } = await orUnavailable('manifest', loaded);
  if (manifest === null) return null;
  const parts = loadFindings(c.env, c.executionCtx, code, manifest, (error) =>
    log('error', 'report', { requestId: requestId(c), error: describeError(error) }),
  );
  return {
    report: makeReport(await orUnavailable('findings', parts), filter, await loadRuleTexts(c.env), manifest.now),
    filter,
  };
}
