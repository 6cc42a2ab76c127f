import { clientIdOf } from '../../accounts/actor.ts';
import { DAY_SECONDS } from '../../lib/time/time.ts';
import { fieldsToUndo } from '../../properties/undo.ts';
import { changeReader, changeRules } from '../../readers/api/reader.ts';
import {
  LISTING,
  listReaderChanges,
  PARAMETER,
  type ReaderChange,
  type ReaderSettings,
  RULE,
  settingsOf,
  storedOf,
} from '../../readers/history.ts';
import type { Reader } from '../../readers/readers.ts';
import { definePage } from '../define-page.tsx';
import { valueText } from '../feed/parameters.tsx';
import { formatList, formatMoney, formatNumber } from '../format.ts';
import { UndoEnd, UndoTable } from '../frame/form.tsx';
import { Ago, Card, Changed } from '../frame/parts.tsx';
import { portalBatch, portalPath, UNDO_DAYS, undoPath } from '../paths.ts';
import { type Names, readNames } from '../properties/property.ts';
import { inWords, textOf, textsOf, translated } from '../texts/texts.ts';
import { actorOf, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { changing, findPortalReader, titleOf } from './change.tsx';
import { portalView } from './portal.ts';
import { replacingRules } from './selection.tsx';

/** Changes that a portal's page shows. */
const SHOWN = 5;

/** The changes of what a portal is to get that can be undone, newest first. */
export function loadChanges({ db, account, now }: Visitor, { name }: Reader) {
  const address = { accountId: account.id, name };
  return listReaderChanges(db, address, now - UNDO_DAYS * DAY_SECONDS);
}

/** What names the last change of a portal where it can be undone. */
export async function lastChange(visitor: Visitor, reader: Reader): Promise<string | null> {
  const [last] = await loadChanges(visitor, reader);
  return last === undefined ? null : portalBatch(reader.name, last.number);
}

interface Undo {
  readonly reader: Reader;
  readonly now: ReaderSettings;
  /** What it would be. */
  readonly undone: ReaderSettings;
  readonly fields: ReturnType<typeof fieldsToUndo<ReaderSettings>>;
}

/** What undoing a change of a portal would do: what somebody has changed since stays, and is shown. */
export const undoPortal = definePage<Undo>({
  find: async (visitor) => {
    const reader = await findPortalReader(visitor);
    if (reader === null) return null;
    const number = Number(visitor.c.req.query('change'));
    const change = (await loadChanges(visitor, reader)).find((one) => one.number === number);
    if (change === undefined) return null;
    const [before, after, now] = [change.before, change.after, reader].map(settingsOf);
    const fields = fieldsToUndo(before!, after!, now!);
    const back = Object.fromEntries(fields.undone.map((name) => [name, before![name]]));
    return { reader, now: now!, undone: { ...now, ...back }, fields };
  },
  settings: ({ now }) => now,
  show: async (visitor, { reader, now, undone, fields }, form) => {
    const texts = textsOf(visitor, 'undo');
    const { history } = textsOf(visitor, 'portals');
    const names = await readNames(visitor);
    const title = titleOf(reader);
    const wordsFor = (settings: ReaderSettings, name: string) =>
      partValue(settings, name, reader, names, visitor);
    const { length: count } = fields.undone;
    return {
      title: count === 0 ? texts.nothing : history.undoTitle({ title }),
      lead: texts.lead,
      crumbs: [{ name: title, href: portalPath(reader.name) }],
      content: (
        <>
          <UndoTable
            title={textsOf(visitor, 'portals').contents}
            column={history.part}
            rows={[...fields.undone, ...fields.kept].map((name) => {
              const isKept = fields.kept.includes(name);
              return [
                partName(name, reader, visitor),
                !isKept && <Changed before={wordsFor(now, name)} after={wordsFor(undone, name)} />,
                isKept && (
                  <span class="muted">
                    {history.since}: {wordsFor(now, name)}
                  </span>
                ),
              ];
            })}
          />
          <UndoEnd
            isLeft={count > 0}
            version={form.version}
            href={portalPath(reader.name)}
            text={title}
          />
        </>
      ),
    };
  },
  actions: {
    save: async (visitor, { reader, undone, fields }) => {
      const { common, language } = visitor;
      if (fields.undone.length === 0) return { why: textsOf(visitor, 'undo').nothing };
      const { selection, ...others } = storedOf(undone);
      const listings = fields.undone.map((name) => name.slice(LISTING.length));
      const result = await changing(visitor, reader, (db, address) =>
        fields.undone.every((name) => name.startsWith(LISTING))
          ? changeRules(db, address, listings, () => selection, actorOf(visitor), reader)
          : changeReader(
              db,
              address,
              { ...others, selection: replacingRules(selection) },
              actorOf(visitor),
              reader,
            ),
      );
      if (result === 'not found') return null;
      if (typeof result === 'object' && 'rules' in result)
        return { why: inWords(language, result.rules[0]!.message) };
      if (result !== 'changed') return { why: common.conflict, status: 412 };
      return {
        did: 'portal.undone',
        with: titleOf(reader),
        next: portalPath(reader.name),
        flash: { messages: [{ code: 'saved' }] },
      };
    },
  },
});

interface ChangesProps {
  readonly reader: Reader;
  readonly changes: readonly ReaderChange[];
  readonly names: Names;
}

/** Who has last changed what a portal is to get, from what to what. */
export function ChangesCard({ reader, changes, names }: ChangesProps) {
  const visitor = useVisitor();
  const { history } = useTexts('portals');
  const { agencyPerson } = useTexts('settings');
  if (changes.length === 0) return null;
  return (
    <Card title={history.title}>
      <ol class="timeline">
        {changes.slice(0, SHOWN).map(({ number, changedAt, actor, ...states }) => {
          const [before, after] = [states.before, states.after].map(settingsOf);
          const { undone, kept } = fieldsToUndo(before!, after!, after!);
          const wordsFor = (settings: ReaderSettings, name: string) =>
            partValue(settings, name, reader, names, visitor);
          return (
            <li>
              <Ago seconds={changedAt} />
              <div>
                <b>
                  {'name' in actor
                    ? actor.name
                    : actor.kind === 'account'
                      ? agencyPerson
                      : clientIdOf(actor)}
                </b>
                {[...undone, ...kept].map((name) => (
                  <Changed
                    isQuiet
                    name={partName(name, reader, visitor)}
                    before={wordsFor(before!, name)}
                    after={wordsFor(after!, name)}
                  />
                ))}{' '}
                {visitor.isEditor && (
                  <a class="small" href={undoPath(portalBatch(reader.name, number))}>
                    {visitor.common.undo}
                  </a>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** The parameter that a part is, of the format of a portal. */
function parameterOf(name: string, reader: Reader, { now }: Visitor) {
  const { format } = portalView(reader, [], now);
  return format.feedParameters.find((one) => PARAMETER + one.name === name);
}

/** What a part of what a portal is to get is called. */
function partName(name: string, reader: Reader, visitor: Visitor): string {
  const texts = textsOf(visitor, 'portals');
  const parameter = parameterOf(name, reader, visitor);
  if (parameter !== undefined)
    return translated(visitor.language, 'parameters', parameter.name, parameter).label;
  if (name.startsWith(LISTING)) return texts.history.put({ id: name.slice(LISTING.length) });
  if (name.startsWith(RULE)) return textOf(texts.rules, name.slice(RULE.length));
  return textOf({ ...texts.labels, fixed: texts.fixedLabel, channelId: texts.list }, name);
}

/** A part in words. */
function partValue(
  settings: ReaderSettings,
  name: string,
  reader: Reader,
  names: Names,
  visitor: Visitor,
): string {
  const { language, common } = visitor;
  const texts = textsOf(visitor, 'portals');
  const value = settings[name];
  const parameter = parameterOf(name, reader, visitor);
  if (parameter !== undefined && typeof value === 'string')
    return valueText(parameter, value, language);
  if (name.startsWith(LISTING)) {
    const { byRules, ...put } = texts.history;
    return value === undefined ? byRules : put[value as 'in' | 'out'];
  }
  if (name === 'kind' && value === null) return texts.anyKind;
  if (name.startsWith(`${RULE}price_`) && typeof value === 'number')
    return formatMoney(value, 'EUR', language);
  if (typeof value === 'number') return formatNumber(value, language);
  if (typeof value === 'boolean') return textsOf(visitor, 'feed')[value ? 'yes' : 'no'];
  const offers = { sale: common.forSale, long_term: common.longTerm, short_term: common.shortTerm };
  const words: Readonly<Record<string, string>> = {
    ...Object.fromEntries([...names.types, ...names.features]),
    ...offers,
    ...texts.kinds,
    ...texts.places,
    ...texts.withheld,
  };
  const values = (Array.isArray(value) ? value : [value ?? '']) as string[];
  return (
    formatList(
      values.map((one) => textOf(words, one)),
      language,
    ) || texts.history.none
  );
}
