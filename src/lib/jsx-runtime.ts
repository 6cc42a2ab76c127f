import { html, raw } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';

/**
 * What JSX compiles to: elements as HTML, with everything escaped that is not an element itself. The types are those of
 * `hono/jsx`; its own runtime also streams, suspends and keeps contexts, which pages do not need and which would take
 * 4 KB of the compressed script.
 */
export function jsx(tag: string | Component, { children, ...attributes }: Properties): JSX.Element {
  if (typeof tag === 'function') return tag({ children, ...attributes });
  const given = Object.entries(attributes).map(([name, value]) => {
    if (value === undefined || value === null || value === false) return '';
    return html` ${raw(name)}="${value === true ? '' : value}"`;
  });
  const opening = html`<${raw(tag)}${given}>`;
  return VOID_ELEMENTS.has(tag) ? opening : html`${opening}${children}</${raw(tag)}>`;
}

/** Children without an element around them. */
export function Fragment({ children }: Properties): JSX.Element {
  return html`${children}`;
}

export type { JSX };
export { jsx as jsxDEV, jsx as jsxs };

interface Properties extends Readonly<Record<string, unknown>> {
  readonly children?: unknown;
}

type Component = (properties: Properties) => JSX.Element;

/** Elements that have neither content nor an end tag, of those that pages use (HTML, section 13.1.2). */
const VOID_ELEMENTS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'link', 'meta']);
