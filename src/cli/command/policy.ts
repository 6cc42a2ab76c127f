import { PLACES, type Policy, WITHHOLDABLE } from '../../portfolio/policy.ts';

/** The options for what a reader may see. */
export const POLICY = {
  withhold: {
    type: 'string',
    array: true,
    requiresArg: true,
    choices: [...WITHHOLDABLE, 'none'],
    describe: "What it gets nowhere; the account's policy by default",
  },
  place: { choices: PLACES, requiresArg: true, describe: 'Where it sees properties; moved by 200 to 400 m' },
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
