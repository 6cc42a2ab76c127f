import { group } from '../command.ts';
import { unitHistory } from './unit-history.ts';

export const unit = group('unit', 'Units of new developments', [unitHistory]);
