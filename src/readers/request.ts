import type { ParameterError } from '../feed/formats/parameters.ts';
import { isShortName, SHORT_NAME_RULE } from '../lib/short-name.ts';
import { type FieldError, jsonPointer } from '../problem.ts';
import { DEFAULT_OLD_KEY_DAYS, MAX_OLD_KEY_DAYS, type ReaderRequest } from './new-reader.ts';

/** Properties of one request. */
export const MAX_PROPERTIES = 1_000;

/** What a body says of the feed that a reader gets. */
export interface FeedFields extends Pick<ReaderRequest, 'preset' | 'fixed'> {
  readonly channel: string | null;
}

/** A reader to be created, from a body; or its invalid fields. */
export function parseReader(
  body: unknown,
): (FeedFields & Pick<ReaderRequest, 'name'>) | { readonly errors: readonly FieldError[] } {
  if (!isObject(body)) return NOT_AN_OBJECT;
  const { name, ...others } = body;
  const { errors, fields } = feedFields(others);
  const { preset = '', fixed = false, channel = null } = fields;
  if (typeof name !== 'string' || !isShortName(name)) {
    errors.unshift({ pointer: '/name', detail: `must consist of ${SHORT_NAME_RULE}` });
  } else if (errors.length === 0) {
    return fixed && preset === '' ? { errors: [NOTHING_IS_FIXED] } : { name, preset, fixed, channel };
  }
  return { errors };
}

/** Changes of what a reader gets, from a body; or its invalid fields. */
export function parseReaderChange(body: unknown): Partial<FeedFields> | { readonly errors: readonly FieldError[] } {
  if (!isObject(body)) return NOT_AN_OBJECT;
  const { errors, fields } = feedFields(body);
  return errors.length > 0 ? { errors } : fields;
}

/** Error: `fixed` requires a preset. */
export const NOTHING_IS_FIXED: FieldError = { pointer: '/fixed', detail: 'must be false without a preset' };

/** The fields that are present in a body, which must not have others. */
function feedFields(body: Readonly<Record<string, unknown>>): { errors: FieldError[]; fields: Partial<FeedFields> } {
  const { preset, fixed, channel, ...others } = body;
  const errors = unknownFields(others);
  const check = (pointer: string, isValid: boolean, detail: string) => {
    if (!isValid && pointer.slice(1) in body) errors.push({ pointer, detail });
  };
  check('/preset', typeof preset === 'string', 'must be a query of feed parameters');
  check('/fixed', typeof fixed === 'boolean', 'must be true or false');
  check('/channel', channel === null || typeof channel === 'string', 'must be the name of a channel, or null');
  return { errors, fields: body };
}

/** The identifiers of properties in a body; or its invalid fields. */
export function parseProperties(body: unknown): readonly string[] | { readonly errors: readonly FieldError[] } {
  if (!isObject(body)) return NOT_AN_OBJECT;
  const { properties, ...others } = body;
  const errors = unknownFields(others);
  const isList = Array.isArray(properties) && properties.length > 0 && properties.length <= MAX_PROPERTIES;
  if (!isList || !properties.every((id) => typeof id === 'string')) {
    errors.push({ pointer: '/properties', detail: `must be an array of 1 to ${MAX_PROPERTIES} ids of properties` });
  }
  return errors.length > 0 ? { errors } : (properties as string[]);
}

/** The days for which old keys stay valid, from the body of a rotation; or its invalid fields. */
export function parseRotation(body: unknown): number | { readonly errors: readonly FieldError[] } {
  if (!isObject(body)) return NOT_AN_OBJECT;
  const { old_key_days: days = DEFAULT_OLD_KEY_DAYS, ...others } = body;
  const errors = unknownFields(others);
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 0 || days > MAX_OLD_KEY_DAYS) {
    errors.push({ pointer: '/old_key_days', detail: `must be an integer from 0 to ${MAX_OLD_KEY_DAYS}` });
  }
  return errors.length > 0 ? { errors } : (days as number);
}

/** The errors of a preset as those of the field that contains it. */
export function presetErrors(errors: readonly ParameterError[]): readonly FieldError[] {
  return errors.map(({ parameter, reason }) => ({ pointer: '/preset', detail: `${parameter} ${reason}` }));
}

const NOT_AN_OBJECT = { errors: [{ pointer: '', detail: 'must be an object' }] };

/** A misspelt field would otherwise be ignored, and the reader get more than was meant. */
function unknownFields(others: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.keys(others).map((name) => ({ pointer: jsonPointer([name]), detail: 'is not a known field' }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
