import { PLACES, type Policy, WITHHOLDABLE } from '../../portfolio/policy.ts';
import { choice, texts } from './options.ts';

/** The options for what a reader may see. */
export const POLICY = {
  withhold: {
    ...texts("What it gets nowhere, or none; the account's policy by default"),
    choices: [...WITHHOLDABLE, 'none'],
  },
  place: choice(PLACES, 'Where it sees properties; moved by 200 to 400 m'),
} as const;

/** The parts of a policy that a command line has. */
export function policyGiven({
  withhold,
  place,
}: {
  readonly withhold?: readonly string[] | undefined;
  readonly place?: Policy['place'] | undefined;
}): Partial<Policy> {
  return { ...(withhold && { withhold: withhold.filter((name) => name !== 'none') }), ...(place && { place }) };
}
