import type { Field } from './field.ts';
import type { FieldColumn, Fields } from './property-fields.ts';

interface Stored {
  text: string;
  letter: string;
  integer: number;
  real: number;
  coordinate: number;
  flag: 0 | 1;
  time: number;
  lines: string;
  part: 0 | 1;
}

/** The values of a row in these columns. */
export type FieldRow<Columns extends FieldColumn = FieldColumn> = {
  readonly [Column in Columns]: Stored[Fields[Column]['type']] | NullOf<Fields[Column]>;
};

type NullOf<F extends { nullable: boolean }> = F['nullable'] extends true ? null : never;

interface InDocument {
  text: string;
  letter: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'X';
  integer: number;
  real: number;
  flag: boolean;
  time: string;
}

/** The fields of a document: a part is `null` if the property lacks it. */
export type FieldDocument = Intersection<
  {
    [Column in FieldColumn]: Nested<Fields[Column]['document'], DocumentValue<Fields[Column]>>;
  }[FieldColumn]
>;

type DocumentValue<F extends Pick<Field, 'type' | 'nullable'>> = F['type'] extends 'lines'
  ? string[]
  : F['type'] extends 'part'
    ? object | null
    : F['type'] extends 'coordinate'
      ? number
      : F['type'] extends keyof InDocument
        ? InDocument[F['type']] | NullOf<F>
        : never;

type Nested<Path extends string, Value> = Path extends `${infer Head}.${infer Tail}`
  ? { [Key in Head]: Nested<Tail, Value> | (Head extends 'offers' ? never : null) }
  : { [Key in Path]: Value };

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
