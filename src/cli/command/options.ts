import type { Options } from 'yargs';
import { SHORT_NAME_RULE } from '../../lib/short-name.ts';

/** Descriptions of the positional arguments, by their names. */
export const POSITIONALS: Readonly<Record<string, string>> = {
  code: "The account's code: 1 to 40 letters, digits, dots, underscores or hyphens, in upper or lower case",
  client: "The client's id",
  reader: `The reader's name: ${SHORT_NAME_RULE}`,
  channel: `The channel's name: ${SHORT_NAME_RULE}`,
  source: `The source's name: ${SHORT_NAME_RULE}`,
  webhook: `The webhook's name: ${SHORT_NAME_RULE}`,
  property: "The property's id",
  development: "The development's id",
  unit: "The unit's name",
  file: 'A path; import and check also read http(s) URLs, gzipped or not. Standard input or output by default',
  origin: 'Where the service is served, such as https://feeds.example.com',
};

/** Options of a command by their names, some with a rule for their values. */
export type OptionTypes = Readonly<Record<string, Options & { readonly rule?: Rule }>>;

export const text = (describe: string) => ({ type: 'string', requiresArg: true, describe }) as const;

/** An option with a value that must be given. */
export const required = (describe: string) => ({ ...text(describe), demandOption: true }) as const;

/** An option with one value or several. */
export const texts = (describe: string) => ({ ...text(describe), array: true }) as const;

export const flag = (describe: string, value = false) => ({ type: 'boolean', default: value, describe }) as const;

/** An option whose value is one of these. */
export const choice = <const Name extends string>(choices: readonly Name[], describe: string) =>
  ({ choices, requiresArg: true, describe }) as const;

/** What a value must be, in words and as a test. */
export interface Rule {
  readonly must: string;
  readonly test: (value: number) => boolean;
}

/** An integer from `min`, up to `max` if there is one. */
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): Rule => ({
  must: max === Number.MAX_SAFE_INTEGER ? `an integer, ${min} or more` : `an integer from ${min} to ${max}`,
  test: (value) => Number.isInteger(value) && value >= min && value <= max,
});

/** An option whose value is a number; without a rule, the service validates it. */
export const number = (value: number, describe: string, rule?: Rule) =>
  ({ type: 'number', default: value, requiresArg: true, describe, ...(rule && { rule }) }) as const;

export const PERCENTAGE: Rule = { must: 'a percentage from 0 to 100', test: (value) => value >= 0 && value <= 100 };
