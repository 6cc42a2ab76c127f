import { message } from '../../messages/messages.ts';
import type { KeyReader } from '../../readers/keys.ts';
import type { FeedFormat } from '../formats/format.ts';
import { FORMATS } from '../formats/formats.ts';
import {
  type GivenParameters,
  notAllowed,
  type Parameter,
  type ParameterError,
  pickParameters,
  spellingsOf,
} from '../formats/parameters.ts';

/** What a reader gets: its preset is a query, as {@link parsePreset} returns it. */
export type Preset = Pick<KeyReader, 'preset' | 'isFixed' | 'channel' | 'policy'>;

const PARAMETERS = FORMATS.flatMap(({ feedParameters }) => feedParameters);
const SPELLINGS = spellingsOf(PARAMETERS.map(({ name }) => name));

/** The maximum length of a stored preset, which only long email addresses can exceed. */
const MAX_PRESET_LENGTH = 400;

/** The canonical form of a preset, a query such as `FV=3&T=SALE`; or what is wrong with it. */
export function parsePreset(
  text: string,
): { readonly preset: string } | { readonly errors: readonly ParameterError[] } {
  const query = new URLSearchParams(text);
  const { given, errors: repeated } = pickParameters(query, SPELLINGS);
  const unknown = [...new Set(query.keys())]
    .filter(
      (name) =>
        !PARAMETERS.some((parameter) => parameter.name === SPELLINGS.get(name.toLowerCase())),
    )
    .map((name) => ({ parameter: name, problem: message('unknown_parameter') }));
  const entries = Object.entries(given).flatMap(([name, value]) => {
    const rows = PARAMETERS.filter((parameter) => parameter.name === name);
    return rows.length === 0 ? [] : [{ name, value: value!, rows }];
  });
  const invalid = entries.flatMap(({ name, value, rows }) =>
    canonicalValue(rows, value) === undefined
      ? [notAllowed(name, value, rows[0]!.type.allowed.words)]
      : [],
  );
  const errors = [...unknown, ...repeated, ...invalid];
  if (errors.length > 0) return { errors };
  const preset = entries
    .map(({ name, value, rows }) => `${name}=${canonicalValue(rows, value)}`)
    .join('&');
  if (preset.length <= MAX_PRESET_LENGTH) return { preset };
  const problem = message('too_long', { most: MAX_PRESET_LENGTH });
  return { errors: [{ parameter: 'The preset', problem }] };
}

/** The preset of a request with the password of the account. */
export const NO_PRESET: Preset = { preset: '', isFixed: false, channel: null, policy: '' };

/**
 * The parameters of a request, completed from the preset and from what the account has stated for the format.
 *
 * @param stated a query
 * @returns an error for each parameter of the request that contradicts a fixed preset
 */
export function applyPreset(
  format: FeedFormat,
  given: GivenParameters,
  { preset, isFixed }: Pick<Preset, 'preset' | 'isFixed'>,
  stated = '',
): { readonly given: GivenParameters; readonly errors: readonly ParameterError[] } {
  const [presetParameters, accountParameters] = [preset, stated].map((query) =>
    withoutOthers(format, pickParameters(new URLSearchParams(query), SPELLINGS).given),
  );
  const errors = Object.entries(isFixed ? presetParameters! : {}).flatMap(([parameter, value]) => {
    const requested = given[parameter];
    const rows = format.feedParameters.filter(({ name }) => name === parameter);
    if (requested === undefined || canonicalValue(rows, requested) === canonicalValue(rows, value!))
      return [];
    return [{ parameter, problem: message('fixed_parameter', { value: value! }) }];
  });
  return { given: { ...accountParameters, ...presetParameters, ...given }, errors };
}

/** The parameters that decide which bytes a feed of a format has. */
export function withoutOthers(format: FeedFormat, given: GivenParameters): GivenParameters {
  return Object.fromEntries(
    Object.entries(given).filter(([name]) =>
      format.feedParameters.some((parameter) => parameter.name === name),
    ),
  );
}

/** The canonical text of a value, equal for equal values; `undefined` if none of the parameters allows it. */
function canonicalValue(rows: readonly Parameter<unknown>[], text: string): string | undefined {
  for (const { type } of rows) {
    const value = type.parse(text.trim());
    if (value !== undefined) return type.format(value);
  }
  return undefined;
}
