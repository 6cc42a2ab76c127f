import type { UnitStatus } from '../../api/units/schemas.ts';
import type { Severity } from '../../rules/rule.ts';
import { textOf } from '../texts/catalogue.ts';
import { useGuest } from '../visit.ts';
import { Chip, type Tone } from './parts.tsx';

/** The colours of the statuses of properties that feeds show, by their names in feeds. */
export const STATUS_TONES: Readonly<Record<string, Tone>> = {
  Available: 'good',
  'Under Offer': 'warn',
  'Sale Agreed': 'info',
};

/** The colours of the statuses of units. */
export const UNIT_TONES: Readonly<Record<UnitStatus, Tone>> = { 1: 'good', 2: 'info', 8: 'warn', 4: 'none' };

/** The colours of findings. */
export const SEVERITY_TONES = { error: 'bad', warning: 'warn', info: 'info' } as const satisfies Record<Severity, Tone>;

/** The status of a property. */
export function Status({ status }: { readonly status: string }) {
  const guest = useGuest();
  return <Chip tone={STATUS_TONES[status] ?? 'none'}>{textOf(guest.texts.statuses, status)}</Chip>;
}
