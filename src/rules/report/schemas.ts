import * as z from 'zod';
import { namedObject } from '../../api/schemas.ts';
import { LANGUAGES } from '../../lib/languages.ts';
import { because } from '../../messages/messages.ts';
import { REFUSING_PORTALS, RULES } from '../all.ts';
import { PORTALS, type Portal } from '../portals.ts';
import { SEVERITIES } from '../rule.ts';

const portal = z.enum(Object.keys(PORTALS) as [Portal, ...Portal[]]);
const severity = z.enum(SEVERITIES);

const ELEMENTS = LANGUAGES.map(({ element }) => element);

const languages = z
  .string()
  .transform((text) => text.split(',').map((language) => language.trim()))
  .refine(
    (given) => given.every((language) => (ELEMENTS as readonly string[]).includes(language)),
    because('not_some_of', { allowed: ELEMENTS }),
  )
  .meta({
    type: 'array',
    items: { type: 'string', enum: ELEMENTS },
    param: { style: 'form', explode: false },
  });

/** The query of a report. Unknown parameters are ignored. */
export const reportQuery = z.object({
  portal: portal
    .optional()
    .describe(
      'Only rules that apply to this portal; by default, rules for all portals and for those ' +
        'that the account uses.',
    ),
  format: z
    .enum(REFUSING_PORTALS as [Portal, ...Portal[]])
    .optional()
    .describe('Only the reasons why feeds in the format of this portal leave properties out.'),
  reader: z
    .string()
    .optional()
    .describe(
      'Only the reasons why this reader’s feed leaves properties out, given its preset, its ' +
        'channel and what its policy withholds; in the format of `format`, by default ' +
        'Idealista’s.',
    ),
  severity: severity.optional().describe('Only findings of this severity.'),
  rule: z
    .enum(RULES.map(({ code }) => code))
    .optional()
    .describe('Only findings of the rule with this code.'),
  property: z.string().optional().meta({
    description: 'Only findings in the property with this identifier.',
    example: 'R4100001',
  }),
  languages: languages
    .optional()
    .describe(
      'Languages in which every property should have a description; by default, those in which ' +
        'half of them have one.',
    ),
});

const count = z.int().min(0);

const finding = namedObject('Finding', {
  rule: z.string().describe('The code of the rule.'),
  node: z.string().describe('The nodes of the version 3 feed, separated by commas.'),
  value: z.string().describe('Its value, shortened.'),
});

export const reportSchema = namedObject('Report', {
  account: z.string(),
  summary: z.object({
    properties: count.describe('Properties checked.'),
    properties_with_errors: count,
    error: count,
    warning: count,
    info: count,
    languages: z
      .array(z.string())
      .readonly()
      .describe('Those in which every property should have a description.'),
    portals: z.array(portal).readonly().describe('The portals whose rules count.'),
    muted: z
      .array(z.string())
      .readonly()
      .describe('The codes of rules that the account has muted.'),
  }),
  rules: z
    .array(
      z.object({
        code: z.string(),
        severity,
        explanation: z.string(),
        fix: z.string(),
        portals: z
          .array(portal)
          .readonly()
          .describe('The portals that the rule is for; empty for all.'),
        properties: count.describe('Properties with a finding of this rule.'),
      }),
    )
    .readonly()
    .describe('The rules with findings, the most severe first.'),
  properties: z.array(z.object({ id: z.string(), findings: z.array(finding) })),
});
