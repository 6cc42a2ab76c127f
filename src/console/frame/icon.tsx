import { raw } from 'hono/html';
import DRAWINGS from './drawings.json' with { type: 'json' };

export type IconName = keyof typeof DRAWINGS.icons;

/** An icon. It is decoration: the text next to it says what it means. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {raw(DRAWINGS.icons[name])}
    </svg>
  );
}

/** The sign of the service: two plots and the boundary between them. */
export function Brand({ name }: { readonly name: string }) {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 26 26" aria-hidden="true">
        <rect width="26" height="26" rx="7" fill="var(--accent)" />
        <path d="M6 20V8.5L11 5v15zM15 20V11l5 3.2V20z" fill="var(--accent-text)" />
        <path d="M13 4v18" stroke="var(--accent-text)" stroke-width="1.6" stroke-dasharray="2.4 2" />
      </svg>
      <span>{name}</span>
    </a>
  );
}
