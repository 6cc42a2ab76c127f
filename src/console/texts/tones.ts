import type { Severity } from '../../rules/rule.ts';
import type { UnitStatus } from '../../units/schemas.ts';
import type { Tone } from '../frame/parts.tsx';

/** The colours of the statuses of properties, by their names in feeds. */
export const STATUS_TONES: Readonly<Record<string, Tone>> = {
  Available: 'good',
  'Under Offer': 'warn',
  'Sale Agreed': 'info',
};

/** The colours of the statuses of units. */
export const UNIT_TONES: Readonly<Record<UnitStatus, Tone>> = { 1: 'good', 2: 'info', 8: 'warn', 4: 'none' };

/** The colours of findings. */
export const SEVERITY_TONES: Readonly<Record<Severity, Exclude<Tone, 'none'>>> = {
  error: 'bad',
  warning: 'warn',
  info: 'info',
};
