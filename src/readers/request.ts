import type { ParameterError } from '../feed/parameters.ts';
import { type FieldError, jsonPointer } from '../problem.ts';
import {
  DEFAULT_OLD_KEY_DAYS,
  isReaderName,
  MAX_OLD_KEY_DAYS,
  READER_NAME_RULE,
  type ReaderRequest,
} from './new-reader.ts';

/** Properties of one request. */
export const MAX_PROPERTIES = 1_000;

/** A reader to be created, from a body; or its invalid fields. */
export function parseReader(
  body: unknown,
): (Omit<ReaderRequest, 'accountId' | 'channelId'> & { readonly channel: string | null }) | readonly FieldError[] {
  if (!isObject(body)) return [{ pointer: '', detail: 'must be an object' }];
  const { name, preset = '', fixed = false, channel = null, ...others } = body;
  const errors = unknownFields(others);
  if (typeof name !== 'string' || !isReaderName(name)) {
    errors.push({ pointer: '/name', detail: `must consist of ${READER_NAME_RULE}` });
  }
  if (typeof preset !== 'string') errors.push({ pointer: '/preset', detail: 'must be a query of feed parameters' });
  if (typeof fixed !== 'boolean') errors.push({ pointer: '/fixed', detail: 'must be true or false' });
  else if (fixed && preset === '') errors.push({ pointer: '/fixed', detail: 'must be false without a preset' });
  if (channel !== null && typeof channel !== 'string') {
    errors.push({ pointer: '/channel', detail: 'must be the name of a channel, or null' });
  }
  if (errors.length > 0) return errors;
  return {
    name: name as string,
    preset: preset as string,
    fixed: fixed as boolean,
    channel: channel as string | null,
  };
}

/** The identifiers of properties in a body; or its invalid fields. */
export function parseProperties(body: unknown): readonly string[] | { readonly errors: readonly FieldError[] } {
  if (!isObject(body)) return { errors: [{ pointer: '', detail: 'must be an object' }] };
  const { properties, ...others } = body;
  const errors = unknownFields(others);
  const isList = Array.isArray(properties) && properties.length > 0 && properties.length <= MAX_PROPERTIES;
  if (!isList || !properties.every((id) => typeof id === 'string')) {
    errors.push({ pointer: '/properties', detail: `must be an array of 1 to ${MAX_PROPERTIES} ids of properties` });
  }
  return errors.length > 0 ? { errors } : (properties as string[]);
}

/** The days for which old keys stay valid, from the body of a rotation; or its invalid fields. */
export function parseRotation(body: unknown): number | readonly FieldError[] {
  if (!isObject(body)) return [{ pointer: '', detail: 'must be an object' }];
  const { old_key_days: days = DEFAULT_OLD_KEY_DAYS, ...others } = body;
  const errors = unknownFields(others);
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 0 || days > MAX_OLD_KEY_DAYS) {
    errors.push({ pointer: '/old_key_days', detail: `must be an integer from 0 to ${MAX_OLD_KEY_DAYS}` });
  }
  return errors.length > 0 ? errors : (days as number);
}

/** The errors of a preset as those of the field that contains it. */
export function presetErrors(errors: readonly ParameterError[]): readonly FieldError[] {
  return errors.map(({ parameter, reason }) => ({ pointer: '/preset', detail: `${parameter} ${reason}` }));
}

/** A misspelt field would otherwise be ignored, and the reader get more than was meant. */
function unknownFields(others: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.keys(others).map((name) => ({ pointer: jsonPointer([name]), detail: 'is not a known field' }));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
