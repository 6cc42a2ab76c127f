import { raw } from 'hono/html';
import { findPortal } from '../portals/catalogue.ts';
import DRAWINGS from './drawings.json' with { type: 'json' };

export type IconName = keyof typeof DRAWINGS.icons;

/** An icon. It is decoration: the text next to it says what it means. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {raw(DRAWINGS.icons[name])}
    </svg>
  );
}

/** The logo of the service: two plots and the boundary between them. */
export function Brand() {
  return (
    <a class="brand" href="/">
      <svg viewBox="0 0 26 26" aria-hidden="true">
        <rect width="26" height="26" rx="7" fill="var(--accent)" />
        <path d="M6 20V8.5L11 5v15zM15 20V11l5 3.2V20z" fill="var(--accent-text)" />
        <path
          d="M13 4v18"
          stroke="var(--accent-text)"
          stroke-width="1.6"
          stroke-dasharray="2.4 2"
        />
      </svg>
      <span>Lindero</span>
    </a>
  );
}

/** What the logo of a portal shows; it is greyed out if `isOff`. */
export type PortalLogo = Readonly<{ title: string; portal: string | null; isOff?: boolean }>;

/** The logo of a portal: its initials on a colour. It is decoration: the name stands next to it. */
export function Logo({
  of: { title, portal, isOff },
  size = '',
}: {
  of: PortalLogo;
  size?: 's' | '';
}) {
  const { initials, colour } = findPortal(portal);
  return (
    <span class={`logo c${colour} ${size} ${isOff ? 'off' : ''}`} aria-hidden="true">
      {initials || initialsOf(title)}
    </span>
  );
}

/** Logos in a row, with the same in words. */
export function Logos({ logos, label }: { logos: readonly PortalLogo[]; label: string }) {
  return (
    <span class="logos" role="img" aria-label={label} title={label}>
      {logos.map((logo) => (
        <Logo of={logo} size="s" />
      ))}
    </span>
  );
}

/** The first letters of a name's first two words: `Costa Sur Homes` is CS. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = words.slice(0, 2).map((word) => [...word][0]!.toUpperCase());
  return letters.join('');
}
