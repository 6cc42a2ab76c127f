import { findAccount } from '../../accounts/accounts.ts';
import { REVALIDATED } from '../../api/headers.ts';
import { clientReads, error, errors, ok } from '../../api/responses.ts';
import { createRoute, Router } from '../../api/router.ts';
import { knownCaller, verify } from '../../feed/access/callers.ts';
import { loadManifest, rememberManifest } from '../../feed/manifest/manifest-cache.ts';
import { Slots } from '../../lib/time/slots.ts';
import { DependencyUnavailable } from '../../lib/unavailable.ts';
import { ProblemError } from '../../problem.ts';
import { requireFeedAccess } from '../../readers/api/feed-access.ts';
import { serves } from '../../request-log.ts';
import { REFUSING_PORTALS } from '../all.ts';
import { makeReport, reportOn, reportView } from '../report.ts';
import { checkForReader, loadFindings, WHOLE_ACCOUNT } from './load.ts';
import { reportQuery, reportSchema } from './schemas.ts';

/** Checks for readers, one at a time: each reads all texts of an account, uncached. One that takes over 30 s holds up no others. */
const checks = new Slots(1, 30_000);

/** Middleware that requires the account's password by Basic, or an access token. A reader's key is not accepted. */
const requireReportAccess = requireFeedAccess({
  scope: 'feeds:read',
  detail: 'The account or the password is wrong.',
  ofClient: async (c, accountId) => {
    const code = (await findAccount(c.env.DB, { id: accountId }))?.code;
    if (code === undefined) return null;
    const { manifest } = await loadManifest(c.env.DB, code, WHOLE_ACCOUNT.set, Date.now());
    return manifest && { code, manifest };
  },
  ofFeed: async (c, credentials) => {
    const { account: code } = credentials;
    const now = Date.now();
    const found = await loadManifest(c.env.DB, code, WHOLE_ACCOUNT.set, now);
    const verdict = await verify(credentials, found, false, now);
    if (verdict.kind === 'unverifiable')
      throw new DependencyUnavailable('password: it cannot be verified');
    if (verdict.kind !== 'authorized') return null;
    rememberManifest(code, WHOLE_ACCOUNT.set, found);
    return { code, manifest: verdict.manifest };
  },
  isVerified: (credentials) => knownCaller(credentials) !== undefined,
});

/** The report on an account's properties, for its clients and for anyone who has its password. */
export const report = new Router();

report.use('/v1/report/*', serves('report'));

const getReport = createRoute({
  method: 'get',
  path: '/v1/report',
  operationId: 'getReport',
  tags: ['Report'],
  summary: 'What portals reject or misread',
  description:
    'The findings in the listed properties, summarised by rule and in detail by property. The ' +
    'credentials are the account’s password, by HTTP Basic, or an access token.',
  security: [{ feedBasic: [] }, { accessToken: ['feeds:read'] }],
  middleware: requireReportAccess,
  request: { query: reportQuery },
  responses: {
    200: ok(reportSchema, 'The report.', {
      examples: {
        report: {
          account: 'DEMO',
          summary: {
            properties: 1,
            properties_with_errors: 1,
            error: 1,
            warning: 0,
            info: 0,
            languages: ['uk'],
            portals: [],
            muted: [],
          },
          rules: [
            {
              code: 'description_under_30_characters',
              severity: 'error',
              explanation: 'Trovit rejects descriptions shorter than 30 characters.',
              fix: 'Write a longer description.',
              portals: ['trovit'],
              properties: 1,
            },
          ],
          properties: [
            {
              id: 'R4100001',
              findings: [
                {
                  rule: 'description_under_30_characters',
                  node: 'description/uk',
                  value: 'A villa close to the sea.',
                },
              ],
            },
          ],
        },
      },
    }),
    ...errors(
      clientReads('feeds:read'),
      error(
        'bad_parameter',
        'a value is not allowed.',
        'severity must be one of: error, warning, info.',
      ),
      error(
        'bad_credentials',
        'the account or the password is wrong.',
        'The account or the password is wrong.',
      ),
      error(
        'too_many_requests',
        'too many unverified passwords in this minute.',
        'Retry after 60 seconds.',
      ),
    ),
  },
});

report.openapi(getReport, async (c) => {
  const { code, manifest } = c.var.granted;
  const { reader, ...filter } = c.req.valid('query');
  if (reader !== undefined) {
    const { format = REFUSING_PORTALS[0]! } = filter;
    const segments = manifest.parts.map(({ part }) => part);
    const lease = await checks.acquire();
    const checking = checkForReader(c.env.DB, manifest.accountId, segments, reader, format);
    const parts = await checking.finally(() => lease.release());
    if (parts === null)
      throw new ProblemError({
        code: 'bad_parameter',
        detail: 'The account has no such reader.',
      });
    const made = makeReport(parts, { ...filter, format }, manifest.now);
    return c.json({ account: code, ...reportView(made) }, 200, REVALIDATED);
  }
  const { found, settings } = await loadFindings(c, manifest, WHOLE_ACCOUNT, filter);
  const made = reportOn(found, { ...settings, ...filter }, manifest.now);
  return c.json({ account: code, ...reportView(made) }, 200, REVALIDATED);
});
