import { findPortal } from '../portals/catalogue.ts';

/** A portal as a sign: its initials on a colour. */
export interface Sign {
  readonly title: string;
  readonly portal: string | null;
}

interface LogoProps {
  readonly sign: Sign;
  readonly size?: 's' | '';
  /** Whether the portal does not have what the sign stands for. */
  readonly isOff?: boolean;
}

/** The sign of a portal. It is decoration: its name stands next to it. */
export function Logo({ sign, size = '', isOff = false }: LogoProps) {
  const { initials, colour } = findPortal(sign.portal);
  return (
    <span class={`logo c${colour} ${size} ${isOff ? 'off' : ''}`} aria-hidden="true">
      {initials || initialsOf(sign.title)}
    </span>
  );
}

/** Signs of portals in a row, with the same in words. */
export function Logos({ signs, label }: { signs: readonly (Sign & { readonly isOff: boolean })[]; label: string }) {
  return (
    <span class="logos" role="img" aria-label={label} title={label}>
      {signs.map((sign) => (
        <Logo sign={sign} size="s" isOff={sign.isOff} />
      ))}
    </span>
  );
}

/** The first letters of a name's first two words: `Costa Sur Homes` is CS. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => [...word][0]!.toUpperCase())
    .join('');
}
