import type { Child } from 'hono/jsx';
import type { EpochSeconds } from '../lib/time.ts';
import type { SignedIn } from './session/visitor.ts';
import type { CommonTexts } from './texts/common.ts';
import type { Language } from './texts/language.ts';

/** Somebody who looks at a page: when, and in which language. */
export interface Guest {
  readonly language: Language;
  /** The texts that all pages share. */
  readonly texts: CommonTexts;
  readonly now: EpochSeconds;
}

/** Somebody who has signed in. */
export interface Visitor extends Guest, SignedIn {}

/** A step on the way to a page: its name, and its path. */
export type Crumb = readonly [name: string, href: string];

/** What a page shows, and its headers. */
export interface Page {
  /** The answer that the page gives, as its heading. */
  readonly title: string;
  /** What else matters most, below the heading. */
  readonly lead?: Child;
  readonly crumbs?: readonly Crumb[];
  /** Next to the heading. */
  readonly actions?: Child;
  /** What has just happened. */
  readonly notice?: Child;
  readonly content: Child;
  /** Whether the page has no navigation: nobody has signed in. */
  readonly isBare?: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
