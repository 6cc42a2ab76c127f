import { group } from '../command.ts';
import { unitDeliveries } from './unit-deliveries.ts';
import { unitHistory } from './unit-history.ts';

export const unit = group('unit', 'Units of new developments', [unitHistory, unitDeliveries]);
