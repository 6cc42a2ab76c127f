import { and, or, type SQL, sql } from 'drizzle-orm';
import { OFFERS, type OfferName } from '../offers.ts';
import { RULES, type RuleReason } from './rules.ts';
import type { SelectionRules } from './schema.ts';

/**
 * Whether each of {@link RULES} holds for a property `p`.
 *
 * @param s the rules as JSON, of which it has at least the parts that this one looks at
 * @param withUnit whether the unit `u` is known; otherwise any may be the property's
 */
const HOLDS: Readonly<Record<RuleReason, (s: SQL, withUnit: boolean) => SQL>> = {
  'taken out': (s) => sql`NOT ${isIn('identifier', s, 'exclude')}`,
  'other type': (s) => sql`(${s} -> '$.types' IS NULL OR ${isIn('type', s, 'types')})`,
  'other price': isInRange,
  'other town': (s) => sql`(${s} -> '$.towns' IS NULL OR ${isIn('town', s, 'towns')})`,
  'without features': (s) => sql`NOT EXISTS (SELECT 1 FROM json_each(${s}, '$.features') f
    WHERE NOT instr(p.features, json_quote(f.value)))`,
  'few photographs': (s) =>
    sql`(${s} -> '$.photographs' IS NULL OR p.photographs >= ${s} ->> '$.photographs')`,
};

function isInRange(s: SQL, withUnit: boolean): SQL {
  const sale = withUnit ? 'iif(p.unit_id IS NULL, p.sale_price, u.price)' : 'p.sale_price';
  const prices = { sale, long_term: 'p.monthly_rent', short_term: 'p.weekly_rent' };
  const inRange = OFFERS.map(
    (offer) => sql`(${isOffered(s, offer)} AND ${sql.raw(prices[offer])}
      BETWEEN ifnull(${s} ->> '$.price.min', 0) AND ifnull(${s} ->> '$.price.max', 9e99))`,
  );
  const isOfUnit = withUnit ? undefined : sql`p.unit_id IS NOT NULL`;
  return or(sql`${s} -> '$.price' IS NULL`, isOfUnit, ...inRange)!;
}

function isIn(column: string, s: SQL, list: keyof SelectionRules): SQL {
  return sql`${sql.raw(`p.${column}`)} IN (SELECT value FROM json_each(${s}, ${sql.raw(`'$.${list}'`)}))`;
}

function isOffered(s: SQL, offer: OfferName): SQL {
  const [isFor, quoted] = [`p.for_${offer}`, `'"${offer}"'`].map((text) => sql.raw(text));
  return sql`${isFor} AND ifnull(instr(${s} -> '$.offers', ${quoted}), 1)`;
}

/** A condition on a property `p` for being listed, and the reason if it does not hold. */
export interface Condition<Why extends string> {
  readonly reason: Why;
  /** What holds of every listed property, whatever its unit is. */
  readonly byItself: SQL;
  /** All of it, with the unit `u` if it has one; without this part, the unit makes no difference. */
  readonly withUnit?: SQL;
}

/** The conditions of the rules that are given, in the order of `whyNotSelected`. */
export function conditionsOfRules(rules: SelectionRules): Condition<RuleReason>[] {
  const jsonOf = (...parts: (keyof SelectionRules)[]) =>
    sql`${JSON.stringify(Object.fromEntries(parts.map((part) => [part, rules[part]])))}`;
  const given = RULES.filter(({ parts: [first] }) => rules[first!] !== undefined);
  return given.map(({ reason, parts, isForOthers }) => {
    const isExempt =
      isForOthers && rules.include ? isIn('identifier', jsonOf('include'), 'include') : undefined;
    const condition = (withUnit: boolean) =>
      or(isExempt, HOLDS[reason](jsonOf(...parts), withUnit))!;
    const byItself = condition(false);
    return reason === 'other price'
      ? { reason, byItself, withUnit: condition(true) }
      : { reason, byItself };
  });
}

/** Whether rules select a property `p` with its unit `u`, in SQL that knows them as JSON only. */
export function areRulesMet(s: SQL): SQL {
  const [others, always] = [true, false].map((isForOthers) =>
    RULES.filter((rule) => rule.isForOthers === isForOthers).map(({ reason }) =>
      HOLDS[reason](s, true),
    ),
  );
  return and(
    or(...OFFERS.map((offer) => isOffered(s, offer))),
    ...always!,
    or(isIn('identifier', s, 'include'), and(...others!)),
  )!;
}
