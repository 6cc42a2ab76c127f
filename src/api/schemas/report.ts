import { z } from 'zod';
import { named } from '../../http/schemas.ts';
import { PORTALS } from '../../rules/portals.ts';

const finding = named(
  'Finding',
  z.object({
    rule: z.string().meta({ description: 'The code of the rule.' }),
    node: z.string().meta({ description: 'The nodes of the version 3 feed, separated by commas.' }),
    value: z.string().meta({ description: 'Its value, shortened.' }),
  }),
);

const portal = z.enum(Object.keys(PORTALS));

const count = z.int().min(0);

export const report = named(
  'Report',
  z.object({
    account: z.string(),
    summary: z.object({
      properties: count.meta({ description: 'Properties checked.' }),
      properties_with_errors: count,
      error: count,
      warning: count,
      info: count,
      languages: z.array(z.string()).meta({ description: 'Those that every description is expected in.' }),
      portals: z.array(portal).meta({ description: 'The portals whose rules count.' }),
      muted: z.array(z.string()).meta({ description: 'The codes of rules that the account has muted.' }),
    }),
    rules: z
      .array(
        z.object({
          code: z.string(),
          severity: z.enum(['error', 'warning', 'info']),
          explanation: z.string(),
          fix: z.string(),
          portals: z.array(portal).meta({ description: 'Empty for all.' }),
          properties: count.meta({ description: 'Properties with a finding of this rule.' }),
        }),
      )
      .meta({ description: 'Those with findings, the most severe first.' }),
    properties: z.array(z.object({ id: z.string(), findings: z.array(finding) })),
  }),
);
