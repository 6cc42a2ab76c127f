import type { Context } from 'hono';
import { type Child, createContext, useContext } from 'hono/jsx';
import type { Actor } from '../accounts/actor.ts';
import type { AppEnv } from '../env.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import type { SignedIn } from './session/session.ts';
import type { Language } from './texts/language.ts';
import { type AllTexts, type CommonTexts, textsOf } from './texts/texts.ts';

/** Somebody who looks at a page: when, and in which language. */
export interface Guest {
  /** The request. */
  readonly c: Context<AppEnv>;
  readonly language: Language;
  /** The texts that all pages share. */
  readonly common: CommonTexts;
  readonly now: EpochSeconds;
  /** In which times are shown, as IANA names it. */
  readonly timeZone: string;
}

/** Somebody who has signed in. */
export interface Visitor extends Guest, SignedIn {
  /** The database of the account. */
  readonly db: D1Database;
  /** Identifies the session. */
  readonly session: string;
  /** Whether they may change listings; an owner may also change people and programs. */
  readonly isEditor: boolean;
  readonly isOwner: boolean;
}

/** Who makes the changes of a visitor: a person, or whoever has the account's password. */
export function actorOf({ person }: Pick<Visitor, 'person'>): Actor {
  return person === null ? { kind: 'account' } : { kind: 'person', name: person.name };
}

/** Whom a page is shown to: the parts of the page take it from here. */
export const GuestContext = createContext<Guest | Visitor | null>(null);

/** Whom the page is shown to. */
export function useGuest(): Guest {
  return useContext(GuestContext)!;
}

/** Who has signed in: in parts of pages that nobody else gets. */
export function useVisitor(): Visitor {
  return useContext(GuestContext) as Visitor;
}

/** The texts of a folder in the language of whom the page is shown to. */
export function useTexts<Folder extends keyof AllTexts>(folder: Folder): AllTexts[Folder] {
  return textsOf(useGuest(), folder);
}

/** What a form shows besides what is stored. */
export interface FormState {
  /** What was sent and is not accepted. */
  readonly typed?: URLSearchParams | undefined;
  /** What is wrong with it, by the names of fields. */
  readonly errors: Readonly<Record<string, string>>;
  /** Names the settings that the form shows: it is refused if somebody has changed them since. */
  readonly version?: string | undefined;
}

/** The form of a page that is requested. */
export const UNSENT: FormState = { errors: {} };

/** A step on the way to a page. */
export interface Crumb {
  readonly name: string;
  readonly href: string;
}

/** What a page shows, and its headers. */
export interface Page {
  /** The answer that the page gives, as its heading. */
  readonly title: string;
  /** What else matters most, below the heading. */
  readonly lead?: Child;
  /** Steps between the entry of the navigation and the page. */
  readonly crumbs?: readonly Crumb[];
  /** Next to the heading. */
  readonly actions?: Child;
  readonly notice?: Child;
  /** What stands below each other. */
  readonly content: Child;
  /** Seconds until the listings should be checked that the page still lacks. */
  readonly checkedIn?: number | null | undefined;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
