import type { Bench } from '../bench.ts';
import type { Row } from '../report/row.ts';

/** A part of the bench that can be chosen by its name. */
export interface Measure {
  readonly name: string;
  run(bench: Bench): Promise<Row[]>;
}
