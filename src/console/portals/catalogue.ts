import type { FeedFormat } from '../../feed/formats/format.ts';
import type { ReaderKind } from '../../properties/restrictions.ts';
import type { Portal as RulePortal } from '../../rules/portals.ts';
import type { Language } from '../texts/language.ts';
import { textsOf } from '../texts/texts.ts';
import PORTALS from './portals.json' with { type: 'json' };

/**
 * A portal, or another kind of program that fetches a feed, as people choose it from a list: with its usual format, parameters,
 * rules that listings are checked against, and kind, all of which can be changed.
 */
export type ListedPortal = Omit<(typeof PORTALS)[number], 'rules' | 'kind'> & {
  readonly rules: RulePortal | null;
  readonly kind: ReaderKind | null;
};

/** The portals to choose from. The last two are for everything else. */
export const PORTAL_LIST = PORTALS as readonly ListedPortal[];

/** A portal of the list; the last one for a reader that was not chosen from it. */
export function findPortal(id: string | null): ListedPortal {
  return PORTAL_LIST.find((portal) => portal.id === id) ?? PORTAL_LIST.at(-1)!;
}

/** What people call the format of a feed with some parameters. */
export function formatName(format: FeedFormat, preset: string, language: Language): string {
  const [name, version] = format.title(new URLSearchParams(preset));
  return textsOf({ language }, 'common').formatName({ name, version });
}
