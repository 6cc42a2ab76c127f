import { type Issue, parsed } from '../../messages/parsed.ts';
import { DEFAULT_CURRENCY } from '../../properties/documents.ts';
import { OFFERS } from '../../properties/offers.ts';
import { canonicalRules } from '../../properties/selection/rules.ts';
import {
  type SelectionChange,
  type SelectionRules,
  selectionRules,
} from '../../properties/selection/schema.ts';
import { type ListedRow, listAll } from '../../properties/store/listings.ts';
import type { Reader } from '../../readers/readers.ts';
import { formatList, formatMoney, formatNumber, formatPrice, sortedNames } from '../format.ts';
import { type Field, Fields } from '../frame/form.tsx';
import { Card, Notice } from '../frame/parts.tsx';
import type { Names } from '../properties/property.ts';
import type { Language } from '../texts/language.ts';
import { inWords, textsOf } from '../texts/texts.ts';
import { readAmount } from '../units/form.ts';
import { type FormState, type Guest, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { type LeftOut, leftOutOf, portalView, withRefused } from './portal.ts';

/** What people can choose from: what their properties have, with its names. */
export interface Choices {
  readonly names: Names;
  readonly types: readonly string[];
  readonly towns: readonly string[];
  readonly features: readonly string[];
}

export async function loadChoices({ db, account, language }: Visitor, names: Names) {
  const rows = await listAll(db, account.id, true);
  const byName = (codes: Iterable<string>, named: ReadonlyMap<string, string>) => {
    const byText = new Map([...codes].map((code) => [named.get(code) ?? code, code]));
    return sortedNames(new Set(byText.keys()), language).map((text) => byText.get(text)!);
  };
  const choices: Choices = {
    names,
    types: byName(new Set(rows.map(({ type }) => type)), names.types),
    towns: sortedNames(new Set(rows.flatMap(({ town }) => town || [])), language),
    features: byName(new Set(rows.flatMap(({ features }) => features)), names.features),
  };
  return { rows, choices };
}

/** The rules in a form, or what is wrong with them, by the names of its fields. */
export function readRules(
  fields: URLSearchParams,
  { language }: Pick<Guest, 'language'>,
):
  | { readonly rules: SelectionRules | null }
  | { readonly errors: Readonly<Record<string, string>> } {
  const amount = (name: string) => {
    const text = (fields.get(name) ?? '').trim();
    return text === '' ? undefined : (readAmount(text) ?? Number.NaN);
  };
  const lines = (name: string) =>
    (fields.get(name) ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const [min, max, photographs] = ['price_min', 'price_max', 'photographs'].map(amount);
  const given = {
    offers: fields.getAll('offers'),
    types: fields.getAll('types'),
    towns: fields.getAll('towns'),
    features: fields.getAll('features'),
    price: { min, max },
    ...(photographs !== undefined && { photographs }),
    include: lines('include'),
    exclude: lines('exclude'),
  };
  const read = parsed(selectionRules, given);
  if ('value' in read) return { rules: canonicalRules(read.value) };
  return { errors: ruleErrors(read.issues, language) };
}

/** What is wrong with rules, by the names of the fields of their form. */
export function ruleErrors(
  issues: readonly Issue[],
  language: Language,
): Readonly<Record<string, string>> {
  const field = ([part, which]: Issue['path']) =>
    part === 'price' ? `price_${String(which ?? 'max')}` : String(part);
  const errors = issues.map(({ path, message }) => [field(path), inWords(language, message)]);
  return Object.fromEntries(errors);
}

/** A change that makes a reader's rules these, and no others. */
export function replacingRules(rules: SelectionRules | null): SelectionChange | null {
  if (rules === null) return null;
  const none = {
    offers: null,
    types: null,
    towns: null,
    features: null,
    photographs: null,
    include: null,
    exclude: null,
  };
  return { ...none, ...rules, price: { min: null, max: null, ...rules.price } };
}

interface RulesProps {
  readonly form: FormState;
  readonly rules: SelectionRules | null;
  readonly choices: Choices;
}

type RuleField = Exclude<keyof SelectionRules, 'price'> | 'price_min' | 'price_max';

/** The fields of a portal's rules: what only few portals need is folded. */
export function RulesFields({ form, rules, choices }: RulesProps) {
  const { common, language } = useVisitor();
  const texts = useTexts('portals');
  const { names } = choices;
  const priceText = (value?: number) =>
    value === undefined ? undefined : formatPrice(value, language);
  const offers = { sale: common.forSale, long_term: common.longTerm, short_term: common.shortTerm };
  const boxes = (
    known: readonly string[],
    named: ReadonlyMap<string, string> | null,
    chosen: readonly string[] = [],
  ) => {
    const options = [...new Set([...known, ...chosen])];
    if (options.length === 0) return undefined;
    return {
      type: 'checkbox',
      options: options.map((code) => [code, named?.get(code) ?? code] as const),
      chosen,
    };
  };
  const { price, photographs, include = [], exclude = [] } = rules ?? {};
  const amount = { inputmode: 'decimal', autocomplete: 'off' } as const;
  const fieldsOf = (fields: { readonly [Name in RuleField]?: Field | undefined }) => (
    <Fields
      form={form}
      fields={fields}
      texts={texts.rules}
      values={{
        price_min: priceText(price?.min),
        price_max: priceText(price?.max),
        photographs: photographs?.toString(),
        include: include.join('\n'),
        exclude: exclude.join('\n'),
      }}
    />
  );
  const folded = [rules?.features, rules?.include, rules?.exclude].filter(Boolean).length;
  const isWrong = ['features', 'include', 'exclude'].some((name) => name in form.errors);
  return (
    <Card title={texts.selects}>
      <div class="fields thirds">
        {fieldsOf({
          price_min: amount,
          price_max: amount,
          photographs: { inputmode: 'numeric', autocomplete: 'off' },
          offers: {
            type: 'checkbox',
            options: OFFERS.map((offer) => [offer, offers[offer]]),
            chosen: rules?.offers ?? [],
          },
          types: boxes(choices.types, names.types, rules?.types),
          towns: boxes(choices.towns, null, rules?.towns),
        })}
      </div>
      <details open={folded > 0 || isWrong}>
        <summary>{texts.moreRules({ count: folded })}</summary>
        <div class="fields">
          {fieldsOf({
            features: boxes(choices.features, names.features, rules?.features),
            include: { rows: 3 },
            exclude: { rows: 3 },
          })}
        </div>
      </details>
    </Card>
  );
}

/** The properties that a reader's feed would have, and why not the others. */
async function counted(visitor: Visitor, reader: Reader, rows: readonly ListedRow[]) {
  const [portal] = await withRefused(visitor, [portalView(reader, [], visitor.now)], rows);
  const groups = Map.groupBy(rows, (row) => leftOutOf(portal!, row));
  return new Map([...groups].map(([reason, left]) => [reason, left.length]));
}

/**
 * What a portal gets now, and what it would get, with the reasons for the rest.
 *
 * @param before `null` for one that is not yet connected
 */
export async function reviewOf(
  visitor: Visitor,
  before: Reader | null,
  after: Reader,
  rows: readonly ListedRow[],
) {
  const { language } = visitor;
  const texts = textsOf(visitor, 'portals');
  const [now, then] = await Promise.all([
    before && counted(visitor, before, rows),
    counted(visitor, after, rows),
  ]);
  const count = then.get(null) ?? 0;
  const left = [...then].filter((entry): entry is [LeftOut, number] => entry[0] !== null);
  return (
    <Notice kind={count === 0 ? 'bad' : 'info'}>
      <p>
        <b>{texts.wouldGet({ count })}</b> {now && texts.getsNow({ count: now.get(null) ?? 0 })}
      </p>
      {left.map(([reason, many]) => (
        <p class="small">
          {texts.reasons[reason]({ count: many })}: {formatNumber(many, language)}
        </p>
      ))}
    </Notice>
  );
}

/** Rules as a sentence: `Villa or Apartment, for sale, above €300,000, in Marbella or Estepona`. */
export function rulesText(
  rules: SelectionRules | null | undefined,
  names: Names,
  { language, common }: Pick<Guest, 'language' | 'common'>,
): string {
  const texts = textsOf({ language }, 'portals');
  if (rules == null) return texts.allProperties;
  const oneOf = (values: readonly string[]) => formatList(values, language, 'disjunction');
  const named = (codes: readonly string[], by: ReadonlyMap<string, string>) =>
    codes.map((code) => by.get(code) ?? code);
  const offers = { sale: common.forSale, long_term: common.longTerm, short_term: common.shortTerm };
  const { price, photographs, include = [], exclude = [] } = rules;
  const money = (amount: number) => formatMoney(amount, DEFAULT_CURRENCY, language);
  const parts = [
    rules.types ? oneOf(named(rules.types, names.types)) : texts.allProperties,
    rules.offers && oneOf(rules.offers.map((offer) => offers[offer])).toLowerCase(),
    price?.min !== undefined && texts.priceFrom({ amount: money(price.min) }),
    price?.max !== undefined && texts.priceTo({ amount: money(price.max) }),
    rules.towns && texts.inTowns({ towns: oneOf(rules.towns) }),
    rules.features &&
      texts.withFeatures({ features: named(rules.features, names.features).join(' + ') }),
    photographs && texts.withPhotographs({ count: photographs }),
    include.length > 0 && texts.included({ count: include.length }),
    exclude.length > 0 && texts.excluded({ count: exclude.length }),
  ];
  return parts.filter(Boolean).join(', ');
}
