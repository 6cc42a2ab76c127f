import { READER_KINDS, type ReaderKind } from '../../portfolio/restrictions.ts';
import { Select } from '../frame/form.tsx';
import { PORTAL_TEXTS } from '../texts/texts.ts';
import type { Visitor } from '../visit.ts';

/** The choice of what a reader is, by which restricted properties are kept from it. */
export function KindField({ value, visitor }: { readonly value: ReaderKind | null; readonly visitor: Visitor }) {
  const { kindLabel, kindHint, kinds, anyKind } = PORTAL_TEXTS[visitor.language];
  return (
    <Select
      field={{ name: 'kind', label: kindLabel, hint: kindHint }}
      value={value ?? ''}
      options={[['', anyKind], ...READER_KINDS.map((kind) => [kind, kinds[kind]] as const)]}
    />
  );
}

/** The kind that a form has. */
export function chosenKind(fields: URLSearchParams): ReaderKind | null {
  return READER_KINDS.find((kind) => kind === fields.get('kind')) ?? null;
}
