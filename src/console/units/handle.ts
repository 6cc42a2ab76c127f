import type { Context } from 'hono';
import { readUnit, type UnitAddress, unitProperty } from '../../db/units.ts';
import type { AppEnv } from '../../env.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import { notFoundPage, readForm } from '../guards.tsx';
import { unitPath } from '../paths.ts';
import type { Page, Visitor } from '../visit.ts';
import { decide, readUnitForm, typedAgain } from './form.ts';
import { reviewPage } from './review.tsx';
import { saveUnit } from './save.ts';
import { UNITS } from './texts.ts';
import { type ShownUnit, unitPage } from './unit.tsx';

/** Changes in the history of a unit's page. */
const SHOWN_CHANGES = 20;

/** The page of a unit. */
export async function showUnit(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const shown = await load(c, visitor);
  if (shown === null) return notFoundPage(visitor);
  const isSaved = c.req.query('saved') === String(shown.unit.version);
  return unitPage(visitor, shown, isSaved ? { kind: 'saved' } : null);
}

/** Shows what was understood of a form, or saves what was shown. */
export async function changeUnit(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  const form = readUnitForm(await readForm(c));
  const shown = await load(c, visitor);
  if (shown === null) return notFoundPage(visitor);
  const { language } = visitor;
  const texts = UNITS[language];
  const { unit, currency } = shown;
  const typed = typedAgain(form, language);
  const decision = decide(form, unit, language);
  switch (decision.kind) {
    case 'invalid':
      return unitPage(visitor, shown, { kind: 'invalid', typed, errors: { price: texts[decision.price] } });
    case 'review': {
      const { values, concern } = decision;
      return reviewPage(visitor, { unit, values, concern, isRefused: form.isReviewed, currency });
    }
    case 'save': {
      const saved = await saveUnit(c, visitor, unit, decision.values);
      if (saved.kind === 'saved') {
        return c.redirect(unitPath(unit.development, unit.name, { saved: String(saved.version) }), 303);
      }
      if (saved.kind !== 'invalid') {
        const current = await load(c, visitor);
        return current === null ? notFoundPage(visitor) : unitPage(visitor, current, { kind: saved.kind, typed });
      }
      const errorOf = (field: string) => saved.errors.find(({ pointer }) => pointer.startsWith(`/${field}`))?.detail;
      const fields = { status: 'UntStatus', price: 'UntPrice', directions: 'UntDirections' };
      const errors = Object.entries(fields).flatMap(([field, name]) => {
        const detail = errorOf(name);
        return detail === undefined ? [] : [[field, detail]];
      });
      return unitPage(visitor, shown, { kind: 'invalid', typed, errors: Object.fromEntries(errors) });
    }
    default:
      return unitPage(visitor, shown, { kind: decision.kind, typed });
  }
}

async function load(c: Context<AppEnv>, { account }: Visitor): Promise<ShownUnit | null> {
  const { development = '', name = '' } = c.req.query();
  const address: UnitAddress = { accountId: account.id, development, name: name.normalize('NFC') };
  const reading = Promise.all([readUnit(c.env.DB, address, SHOWN_CHANGES), unitProperty(c.env.DB, address)]);
  const [found, property] = await orUnavailable('unit', reading);
  return found.kind === 'unit'
    ? {
        unit: found.unit,
        history: found.history,
        currency: property?.currency ?? '',
        identifier: property?.identifier ?? null,
      }
    : null;
}
