import { PLACES, type PolicyChange, WITHHOLDABLE } from '../../portfolio/policy.ts';
import { READER_KINDS } from '../../portfolio/restrictions.ts';
import { choice, texts } from './options.ts';

export const POLICY = {
  withhold: {
    ...texts("What it gets nowhere, or none; the account's policy by default"),
    choices: [...WITHHOLDABLE, 'none'],
  },
  place: choice(PLACES, 'Where it sees properties; moved by 200 to 400 m'),
} as const;

/** The option for what a reader is. */
export const KIND = {
  kind: choice([...READER_KINDS, 'none'], 'What it is: listings that may not go to such readers are left out'),
} as const;

/** The parts of a policy that a command line has. */
export function policyGiven({
  withhold,
  place,
  kind,
}: {
  readonly withhold?: readonly string[] | undefined;
  readonly place?: PolicyChange['place'];
  readonly kind?: NonNullable<PolicyChange['kind']> | 'none' | undefined;
}): PolicyChange {
  return { withhold: withhold?.filter((name) => name !== 'none'), place, kind: kind === 'none' ? null : kind };
}
