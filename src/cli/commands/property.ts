import { group } from '../command.ts';
import { propertyDeliveries } from './property-deliveries.ts';

export const property = group('property', 'Properties', [propertyDeliveries]);
