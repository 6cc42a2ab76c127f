import { formatList } from './format.ts';
import { ButtonForm, Hidden } from './frame/form.tsx';
import { ButtonLink, Notice, type NoticeKind } from './frame/parts.tsx';
import { carried, carry, forget } from './session/carried.ts';
import { subjectOf } from './session/session.ts';
import type { Language } from './texts/language.ts';
import { type AllTexts, textsOf } from './texts/texts.ts';
import { useVisitor, type Visitor } from './visit.ts';

type Values = Readonly<Record<string, string | number | readonly string[]>>;

/** Something that a page says: a text, and what stands in it. */
export interface FlashMessage {
  readonly code: keyof AllTexts['notices'];
  readonly values?: Values;
}

/** What the next page says of what was just done, once, in the language of whoever looks at it. */
export interface Flash {
  /** `good` by default. */
  readonly kind?: NoticeKind;
  readonly messages: readonly FlashMessage[];
  /** The path of a page where what was not done can be tried again. */
  readonly again?: string;
  /** A form that takes it back. */
  readonly undo?: Undo;
}

/** Says that what a form shows is stored. */
export const SAVED: Flash = { messages: [{ code: 'saved' }] };

/** Says that a form has changed nothing. */
export const UNCHANGED: Flash = { kind: 'info', messages: [{ code: 'unchanged' }] };

/** The form of a page that takes something back. */
interface Undo {
  /** The path that it is sent to. */
  readonly path: string;
  readonly does: string;
  readonly fields: Readonly<Record<string, string>>;
}

const NAME = 'flash';
const LIFETIME_SECONDS = 60;

/** Whoever is told. */
type Recipient = Pick<Visitor, 'c' | 'account' | 'person' | 'reader'>;

/** What a flash is sealed for: whoever has signed in. A new password of theirs gives them another session. */
function contextOf(visitor: Recipient): string {
  return `${visitor.account.id}:${subjectOf(visitor)}`;
}

/** Leaves a flash for the page at a path, which the response leads to: without its undo form if that is too large. */
export async function leaveFlash(visitor: Recipient, path: string, flash: Flash): Promise<void> {
  const { undo, ...said } = flash;
  const leave = (left: Flash) =>
    carry(visitor.c, NAME, { path, flash: left }, contextOf(visitor), LIFETIME_SECONDS);
  if (!(await leave(flash))) await leave(said);
}

/** The flash for the requested page, which no other page shows again. */
export async function takeFlash(visitor: Visitor): Promise<Flash | null> {
  const { c } = visitor;
  const left = await carried<{ path: string; flash: Flash }>(c, NAME, contextOf(visitor));
  if (left === null || new URL(left.path, c.req.url).href !== c.req.url) return null;
  forget(c, NAME);
  return left.flash;
}

/** A flash in words. */
export function FlashNotice({ flash }: { readonly flash: Flash }) {
  const { common, language } = useVisitor();
  const { kind = 'good', messages, again, undo } = flash;
  const actions = (again || undo) && (
    <>
      {again && <ButtonLink href={again} text={common.again} />}
      {undo && (
        <ButtonForm action={undo.path} buttons={[{ does: undo.does, text: common.undo }]}>
          <Hidden values={undo.fields} />
        </ButtonForm>
      )}
    </>
  );
  return (
    <Notice kind={kind} actions={actions}>
      {messages.map((message) => (
        <p>{wordingOf(message, language)}</p>
      ))}
    </Notice>
  );
}

function wordingOf({ code, values = {} }: FlashMessage, language: Language): string {
  const text = textsOf({ language }, 'notices')[code];
  if (typeof text === 'string') return text;
  const inWords = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? formatList(value, language) : value,
  ]);
  return text(Object.fromEntries(inWords));
}
