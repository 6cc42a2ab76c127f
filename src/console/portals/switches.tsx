import { lastSwitches, type Switched, switchDetail } from '../../accounts/activity.ts';
import type { Detail } from '../../db/schema.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import type { ListedRow } from '../../properties/store/listings.ts';
import { switchProperties } from '../../readers/api/reader.ts';
import { listedVocabulary } from '../../rules/listing.ts';
import type { VocabularyRead } from '../../vocabulary/stored.ts';
import { formatDay, formatWhen } from '../format.ts';
import { Hidden } from '../frame/form.tsx';
import { Logo } from '../frame/icon.tsx';
import { Chip, type Tone } from '../frame/parts.tsx';
import { portalPath } from '../paths.ts';
import { inWords, textsOf } from '../texts/texts.ts';
import { actorOf, useTexts, useVisitor, type Visitor } from '../visit.ts';
import {
  type Candidate,
  deciding,
  deliveredTo,
  type PortalView,
  type Standing,
  standingOf,
} from './portal.ts';

/** The fields of a switch, by the name of its portal: its position, and the one that the form showed. */
const ON = 'on:';
const WAS = 'was:';

/** The positions of switches that differ from what a form showed, by the names of portals. */
export type Positions = ReadonlyMap<string, boolean>;

/** The switches that were moved in a form. */
export function positionsIn(fields: URLSearchParams): Positions {
  const shown = [...fields].filter(([name]) => name.startsWith(WAS));
  const moved = shown.flatMap(([field, was]): [string, boolean][] => {
    const name = field.slice(WAS.length);
    const isOn = fields.has(ON + name);
    return isOn === (was === '1') ? [] : [[name, isOn]];
  });
  return new Map(moved);
}

/** The fields of a form that moves switches back. */
export function movedBack(positions: Positions): Readonly<Record<string, string>> {
  const fields = [...positions].flatMap(([name, isOn]) =>
    isOn
      ? [[WAS + name, '1']]
      : [
          [WAS + name, ''],
          [ON + name, '1'],
        ],
  );
  return Object.fromEntries(fields);
}

/** A property as portals see it. */
export function candidateFor(
  property: PropertyDocument,
  row: ListedRow | undefined,
  isStored: boolean,
  { types, features }: VocabularyRead,
): Candidate {
  const vocabulary = listedVocabulary([...types, ...features]);
  return { property, row, isStored, vocabulary };
}

/** What becomes of a property at each portal, with the switches that were moved. */
export function standingsOf(
  portals: readonly PortalView[],
  candidate: Candidate,
  positions: Positions,
): Standing[] {
  return portals.map((portal) => standingOf(portal, candidate, positions.get(portal.name)));
}

/**
 * Moves switches to one position, of the portals that have them elsewhere.
 *
 * @returns what was moved, for the log; or, by the names of fields, why one was not
 */
export async function moveSwitches(
  visitor: Visitor,
  portals: readonly PortalView[],
  candidate: Candidate,
  positions: Positions,
  isOn: boolean,
): Promise<{ readonly moved: readonly Detail[] } | { readonly errors: Record<string, string> }> {
  const { db, account, language } = visitor;
  const moved: Detail[] = [];
  const meant = portals.filter(({ name }) => positions.get(name) === isOn);
  for (const portal of meant) {
    const { name, parameters } = portal;
    const values = deciding(portal, candidate);
    const address = { accountId: account.id, name };
    const actor = actorOf(visitor);
    const result = await switchProperties(db, address, [values], parameters, isOn, actor).finally(
      () => invalidateReaders(account.id),
    );
    if (typeof result === 'object' && 'rules' in result) {
      const [issue] = result.rules;
      return { errors: { [ON + name]: inWords(language, issue!.message) } };
    }
    if (result === 'changed') moved.push(switchDetail(name, isOn));
  }
  return { moved };
}

/** Who has moved switches of a property last, by the names of portals. */
export type Switches = ReadonlyMap<string, Switched>;

/** Who has moved the switches of a property last; of a new one, nobody. */
export async function loadSwitches(
  { db, account }: Visitor,
  id: string | undefined,
): Promise<Switches> {
  return id === undefined ? new Map() : lastSwitches(db, account.id, id);
}

const TONES: Readonly<Record<Standing['state'], Tone>> = {
  takes: 'good',
  waiting: 'info',
  leavesOut: 'bad',
  off: 'none',
  paused: 'none',
  notPermitted: 'warn',
};

interface SwitchListProps {
  readonly standings: readonly Standing[];
  readonly switches: Switches;
  /** What the report would say of it for a portal alone, by the portal's name. */
  readonly lacks?: ReadonlyMap<string, readonly string[]>;
  /** The stored row, which says what portals have. */
  readonly row: ListedRow | undefined;
  readonly errors: Readonly<Record<string, string>>;
  /** Whether the visitor can move them. */
  readonly isOpen: boolean;
}

/** A box states by itself whether it is ticked, so a switch needs no further attribute for it. */
const SWITCH = { class: 'switch', type: 'checkbox', role: 'switch', value: '1' } as const;

/** A switch for each portal, with what becomes of the property there, and why. */
export function SwitchList({ standings, switches, lacks, row, errors, isOpen }: SwitchListProps) {
  const visitor = useVisitor();
  const texts = useTexts('portals');
  const { fixCount } = useTexts('properties');
  const when = (seconds: number) => formatWhen(seconds, visitor);
  const whyOf = ({ portal, state, reason, isOn }: Standing) => {
    const isOut = reason === 'taken out' || reason === 'not in channel';
    const by = isOut ? switches.get(portal.name) : undefined;
    if (by !== undefined && !by.isOn) {
      const who = by.person || textsOf(visitor, 'settings').agencyPerson;
      return texts.switchedOff({ who, day: formatDay(by.at, visitor) });
    }
    if (reason !== null) return texts.reasons[reason]({ count: 1 });
    const has = isOn && row !== undefined && state === 'takes' ? deliveredTo(portal, row) : null;
    if (has !== null) return texts.held[has.delivery]({ when: when(has.since) });
    if (state !== 'waiting') return null;
    const { lastVisit } = portal;
    return lastVisit === null ? texts.neverCame : texts.lacks({ last: when(lastVisit) });
  };
  return (
    <ul class="switches" id="switches" data-live>
      {standings.map((standing) => {
        const { portal, isOn, wasOn, state, reason } = standing;
        const { name, title } = portal;
        const id = `switch-${name}`;
        const fixes = lacks?.get(name) ?? [];
        const error = errors[ON + name];
        const why = error ?? whyOf(standing);
        const isFixed = !isOpen || state === 'notPermitted' || reason === 'not in channel';
        return (
          <li>
            <Logo of={{ ...portal, isOff: state !== 'takes' && state !== 'waiting' }} />
            <div>
              <label for={id}>{title}</label>{' '}
              <Chip tone={TONES[state]}>{texts.standings[state]}</Chip>{' '}
              {fixes.length > 0 && <Chip tone="warn">{fixCount({ count: fixes.length })}</Chip>}
              <div class={error === undefined ? 'hint' : 'error'} id={`${id}-why`}>
                {why}{' '}
                <a href={portalPath(name)} aria-label={texts.see({ title })}>
                  {texts.seePortal}
                </a>
                {fixes.map((fix) => (
                  <div>{fix}</div>
                ))}
              </div>
            </div>
            {!isFixed && <Hidden values={{ [WAS + name]: wasOn ? '1' : '' }} />}
            <input
              {...SWITCH}
              id={id}
              name={ON + name}
              checked={isOn}
              disabled={isFixed}
              aria-describedby={`${id}-why`}
            />
          </li>
        );
      })}
    </ul>
  );
}
