import type { ReaderHolding } from '../deliveries/holding.ts';
import { table } from './print.ts';

/** Which readers have the current state of a property, as a table. */
export function holdingsText(holdings: readonly ReaderHolding[]): string {
  if (holdings.length === 0) return 'The account has no readers.\n';
  return table(
    ['READER', 'STATE', 'FEED'],
    holdings.map((holding) => [holding.reader, stateText(holding), holding.feed ?? '']),
  );
}

function stateText(holding: ReaderHolding): string {
  switch (holding.state) {
    case 'current':
      return `current since ${holding.since}`;
    case 'outdated':
      return `as delivered at ${holding.delivered_at}`;
    case 'never delivered':
    case 'not in its channel':
      return holding.state;
  }
}
