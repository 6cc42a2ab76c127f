import type { FeedFormat } from '../../feed/formats/format.ts';
import type { ReaderKind } from '../../portfolio/restrictions.ts';
import type { Portal as RulePortal } from '../../rules/portals.ts';
import type { Language } from '../texts/texts.ts';
import PORTALS from './portals.json' with { type: 'json' };

/** A portal, or another kind of program that fetches a feed, as people choose it from a list. */
export interface ListedPortal {
  readonly id: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly initials: string;
  /** A colour of the style sheet. */
  readonly colour: 1 | 2 | 3 | 4 | 5 | 6;
  /** The format of the feed: its name in `feed/formats`. */
  readonly format: string;
  /** Feed parameters that it gets unless somebody chooses others. */
  readonly preset: string;
  /** The rules that the account's listings are checked against, if there are some for it. */
  readonly rules: RulePortal | null;
  /** What it is, unless somebody chooses otherwise: see `portfolio/restrictions.ts`. */
  readonly kind: ReaderKind | null;
  readonly about: Readonly<Record<Language, string>>;
}

/** The portals to choose from. The last two are for everything else. */
export const PORTAL_LIST = PORTALS as readonly ListedPortal[];

const OTHER = PORTAL_LIST.at(-1)!;

/** A portal of the list; the last one for a reader that was not chosen from it. */
export function findPortal(id: string | null): ListedPortal {
  return PORTAL_LIST.find((portal) => portal.id === id) ?? OTHER;
}

/** What people call the format of a feed with some parameters. */
export function formatName(format: FeedFormat, preset: string): string {
  return format.title(new URLSearchParams(preset));
}
