import { LANGUAGES } from '../lib/languages.ts';
import { REFUSING_PORTALS, RULES } from '../rules/all.ts';
import { PORTALS } from '../rules/portals.ts';
import type { Operation, Parameter } from './operation.ts';
import { LOGGED, methodNotAllowed, problem, RETRY, tokenProblems } from './problems.ts';
import { report } from './schemas/report.ts';

const PARAMETERS: readonly Parameter[] = [
  {
    name: 'portal',
    in: 'query',
    description:
      'Only rules that apply to this portal; by default those for all portals, and for those that the account uses.',
    schema: { type: 'string', enum: Object.keys(PORTALS) },
  },
  {
    name: 'format',
    in: 'query',
    description: 'Only why the feed in the format of this portal leaves properties out.',
    schema: { type: 'string', enum: [...REFUSING_PORTALS] },
  },
  {
    name: 'severity',
    in: 'query',
    description: 'Only findings of this severity.',
    schema: { type: 'string', enum: ['error', 'warning', 'info'] },
  },
  {
    name: 'rule',
    in: 'query',
    description: 'Only findings of the rule with this code.',
    schema: { type: 'string', enum: RULES.map(({ code }) => code) },
  },
  {
    name: 'property',
    in: 'query',
    description: 'Only findings in the property with this identifier.',
    schema: { type: 'string' },
    example: 'R4100001',
  },
  {
    name: 'languages',
    in: 'query',
    description: 'Languages that every description is expected in; by default those that half of the properties have.',
    schema: { type: 'array', items: { type: 'string', enum: LANGUAGES.map(({ element }) => element) } },
    explode: false,
  },
];

const WRONG = { headers: { Authorization: `Basic ${btoa('OWNPROPERTIES@DEMO:wrong')}` } };

const SHORT = RULES.find(({ code }) => code === 'description_under_30_characters')!;

/** The report on an account's properties. */
export const REPORT_OPERATIONS: readonly Operation[] = [
  {
    path: '/v1/report',
    method: 'get',
    id: 'getReport',
    tag: 'Report',
    summary: 'What portals reject or misread',
    description:
      'The findings in the listed properties, summarised by rule and in detail by property. The credentials are those of ' +
      'the feed, or an access token. HEAD works as well.',
    security: ['feedBasic', 'feedsRead'],
    parameters: PARAMETERS,
    responses: [
      {
        status: 200,
        description: 'The report.',
        headers: ['Cache-Control', ...LOGGED],
        content: { mediaType: 'application/json', schema: report },
        examples: [
          {
            name: 'report',
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
        ],
      },
      problem('bad_parameter', 'a value is not allowed.', 'severity must be one of: error, warning, info.', {
        name: 'badParameter',
        request: { query: { severity: 'fatal' } },
      }),
      problem(
        'bad_credentials',
        'the account or the password is wrong.',
        'The account or the password is wrong.',
        { name: 'badCredentials', request: WRONG },
        ['WWW-Authenticate'],
      ),
      problem(
        'too_many_requests',
        'too many unverified passwords in this minute.',
        'Retry after 60 seconds.',
        { name: 'tooManyRequests', request: WRONG, when: 'a rate limit is exceeded' },
        ['Retry-After'],
      ),
      ...tokenProblems('feeds:read', {}, RETRY),
      methodNotAllowed('GET, HEAD', {}),
    ],
  },
];
