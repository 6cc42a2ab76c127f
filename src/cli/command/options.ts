import type { Options } from 'yargs';
import { SHORT_NAME_RULE } from '../../lib/short-name.ts';
import { PLACES, WITHHOLDABLE } from '../../readers/policy.ts';

/**
 * The form in which a value is stored. One that is given repeatedly is an array, which is rejected
 * later.
 */
const stored = (form: (text: string) => string) => (given: string) =>
  typeof given === 'string' ? form(given) : given;
export const upper = stored((given) => given.toUpperCase());
const shortName = (noun: string) => ({
  describe: `The ${noun}'s name: ${SHORT_NAME_RULE}`,
  coerce: stored((given) => given.toLowerCase()),
});

const CODE_RULE = '1 to 40 letters, digits, dots, underscores or hyphens';

export const POSITIONALS: Readonly<Record<string, Pick<Options, 'describe' | 'coerce'>>> = {
  code: { describe: `The account's code: ${CODE_RULE}, in upper or lower case`, coerce: upper },
  client: { describe: "The client's id" },
  reader: shortName('reader'),
  channel: shortName('channel'),
  format: {
    describe: 'The name of a format, such as idealista',
    coerce: stored((given) => given.toLowerCase()),
  },
  source: shortName('source'),
  webhook: shortName('webhook'),
  property: { describe: "The property's id" },
  development: { describe: "The development's id" },
  kind: { describe: 'types or features' },
  name: { describe: 'The name, as name list prints it' },
  unit: { describe: "The unit's name", coerce: stored((given) => given.normalize('NFC')) },
  file: {
    describe:
      'A path, or for import and check an http(s) URL, gzipped or not; by default standard input or output',
  },
  origin: { describe: 'Where the service is served, such as https://feeds.example.com' },
};

/**
 * Options of a command by their names; `as` is what the API calls one, if not the same with
 * underscores.
 */
export type OptionTypes = Readonly<Record<string, Options & { readonly as?: string }>>;

export const text = (describe: string) =>
  ({ type: 'string', requiresArg: true, describe }) as const;

export const required = (describe: string) => ({ ...text(describe), demandOption: true }) as const;

export const texts = (describe: string) => ({ ...text(describe), array: true }) as const;

export const flag = (describe: string) => ({ type: 'boolean', default: false, describe }) as const;

export const choice = <const Name extends string>(choices: readonly Name[], describe: string) =>
  ({ choices, requiresArg: true, describe }) as const;

export const number = (describe: string) =>
  ({ type: 'number', requiresArg: true, describe }) as const;

export const ACCOUNT = {
  ...required("The account's code, in upper or lower case"),
  coerce: upper,
} as const;

/** The value of an option that removes what is stored. */
export const NONE = 'none';

export const POLICY = {
  withhold: {
    ...texts(`The fields that a reader never gets, or ${NONE}`),
    choices: [...WITHHOLDABLE, NONE],
  },
  place: choice(PLACES, 'How a reader sees places: exactly, moved by 200 to 400 m, or not at all'),
} as const;

/** The list in an option, of which {@link NONE} is an empty one. */
export function listIn(given: readonly string[] | undefined): string[] | undefined {
  return given?.filter((name) => name !== NONE);
}
