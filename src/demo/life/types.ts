import type { ReaderKind } from '../../properties/restrictions.ts';

/** A value before and after. */
export type Change<Value> = readonly [from: Value, to: Value];

/** When something happened: on which day, counted back from today, and at which time, in UTC. */
export interface Moment {
  /** At least 1, so that it is in the past at any time of today. */
  readonly daysAgo: number;
  /** `HH:MM`. */
  readonly at: string;
}

/** Somebody with their own sign-in to the console. */
export interface DemoPerson {
  readonly name: string;
  readonly role: 'editor' | 'viewer';
  readonly password: string;
}

/** A portal that is connected during the fourteen days, and when it fetches its feed. */
export interface DemoPortal {
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** Which one it is, as the console lists portals. */
  readonly portal: string;
  readonly format: 'resales' | 'kyero' | 'idealista';
  readonly preset: string;
  readonly kind: ReaderKind;
  /** The portal whose rules listings are checked against from then on. */
  readonly rules?: string;
  readonly channel?: string;
  readonly fetches: {
    /** The time of its first fetch of a day. */
    readonly at: string;
    readonly everyHours: number;
    /** Since when it has not come any more. */
    readonly stoppedDaysAgo?: number;
    /** Whether it sends the ETag of what it has: then it gets a 304 if nothing has changed. */
    readonly isConditional: boolean;
    /** The size of its feed as it is sent, gzipped. */
    readonly bytes: number;
    readonly records: number;
    /** What its program calls itself. */
    readonly program: string;
  };
}

/** Changes of facts of a property, by where they are in its document: `offers.sale.price`. */
export type FactChanges = Readonly<Record<string, Change<string | number>>>;

/** Changes of a unit. Its status is 1 available, 2 on hold, 4 sold or 8 reserved. */
export interface UnitChanges {
  readonly status?: Change<1 | 2 | 4 | 8>;
  readonly price?: Change<number>;
}

/** A unit of a development, and what changes of it. */
export interface ChangedUnit extends UnitChanges {
  readonly development: string;
  readonly unit: string;
}

/** What happened. Properties are named by their identifiers. */
export type Happening =
  /** The portfolio was imported; nothing that follows is older. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'join' }
  | { readonly kind: 'connect'; readonly portal: string }
  | { readonly kind: 'facts'; readonly property: string; readonly changes: FactChanges }
  /** Words of a description were replaced. */
  | {
      readonly kind: 'text';
      readonly property: string;
      readonly language: 'uk' | 'es';
      readonly words: Change<string>;
    }
  | ({ readonly kind: 'unit' } & ChangedUnit)
  | { readonly kind: 'assign'; readonly channel: string; readonly properties: readonly string[] }
  | { readonly kind: 'import units'; readonly file: string; readonly units: readonly ChangedUnit[] }
  /** A file in Kyero's format with new prices of a sale, and further records, which are rejected. */
  | {
      readonly kind: 'import prices';
      readonly file: string;
      readonly prices: Readonly<Record<string, Change<number>>>;
      readonly rejected: readonly string[];
    };

/** Something that happened, and who did it: the name of a person, or the id of a client. */
export type DemoEvent = Moment & { readonly who: string } & Happening;
