import type { AllTexts, CommonTexts } from '../texts/texts.ts';
import type { Visitor } from '../visit.ts';
import type { IconName } from './icon.tsx';

/** An entry of the navigation. */
export interface Place {
  readonly name: keyof CommonTexts & (IconName | 'feed' | 'apiReference');
  readonly icon: IconName;
  /** Those of its pages, its own first. */
  readonly paths: Paths;
  /** Its subjects, above their pages. */
  readonly sections?: readonly Section[];
}

/** A subject of an entry. */
export interface Section {
  readonly name: keyof AllTexts['settings']['sections'];
  /** Those of its pages, its own first. */
  readonly paths: Paths;
  /** Who gets it; by default, everybody. */
  readonly needs?: 'isEditor' | 'isOwner';
}

type Paths = readonly [string, ...string[]];

export const PLACES: readonly Place[] = [
  { name: 'home', icon: 'home', paths: ['/'] },
  { name: 'properties', icon: 'properties', paths: ['/properties', '/property', '/undo'] },
  { name: 'developments', icon: 'developments', paths: ['/developments', '/units', '/unit'] },
  { name: 'portals', icon: 'portals', paths: ['/portals', '/portal', '/feed'] },
  { name: 'imports', icon: 'imports', paths: ['/imports', '/import'] },
  { name: 'report', icon: 'report', paths: ['/report'] },
  {
    name: 'settings',
    icon: 'settings',
    paths: ['/settings'],
    sections: [
      { name: 'people', paths: ['/settings'] },
      { name: 'signIn', paths: ['/settings/sign-in'] },
      { name: 'agency', paths: ['/settings/agency'], needs: 'isOwner' },
      { name: 'programs', paths: ['/settings/programs', '/settings/client'] },
      { name: 'webhooks', paths: ['/settings/webhooks', '/settings/webhook'] },
      { name: 'formats', paths: ['/settings/format'], needs: 'isEditor' },
      { name: 'names', paths: ['/settings/names'] },
      { name: 'log', paths: ['/settings/log'] },
    ],
  },
];

export const PLACES_OF_READERS: readonly Place[] = [
  { name: 'feed', icon: 'portals', paths: ['/feed'] },
  { name: 'report', icon: 'report', paths: ['/report'] },
  { name: 'apiReference', icon: 'book', paths: ['/docs'] },
];

/** Whether a page is the entry's own, or below one of its pages. */
export function isOf({ paths }: Pick<Place, 'paths'>, path: string): boolean {
  return paths.some((page) => path === page || path.startsWith(`${page}/`));
}

/** The subjects of an entry that somebody gets. */
export function sectionsFor({ sections = [] }: Place, visitor: Visitor): readonly Section[] {
  return sections.filter(({ needs }) => needs === undefined || visitor[needs]);
}
