import { Ago } from '../format.tsx';
import { Logos, type Sign } from '../frame/logo.tsx';
import { Card } from '../frame/parts.tsx';
import { HOME } from '../texts/texts.ts';
import { useTexts } from '../visit.ts';
import type { Change } from './changes.tsx';

/** A change with the portals that were sent it. */
export interface ShownChange extends Change {
  readonly signs?: readonly (Sign & { readonly isOff: boolean })[];
}

interface ChangesProps {
  readonly title: string;
  /** What stands there if there are none, and what will. */
  readonly none: readonly [text: string, why: string];
  readonly changes: readonly ShownChange[];
  /** Whether all are of what the page is about. */
  readonly isOfOne?: boolean;
}

/** Changes as a time line. */
export function ChangesCard({ title, none: [text, why], changes, isOfOne = false }: ChangesProps) {
  const texts = useTexts(HOME);
  return (
    <Card title={title} empty={changes.length === 0 && { icon: 'clock', text, why }}>
      <ol class="timeline">
        {changes.map(({ at, subject, href, before, after, who, signs = [] }) => (
          <li>
            <Ago seconds={at} />
            <div>
              {!isOfOne && (
                <a href={href}>
                  <b>{subject}</b>
                </a>
              )}{' '}
              {before} → <b>{after}</b> {who && <span class="muted">{texts.by({ who })}</span>}
              {signs.length > 0 && (
                <div>
                  <Logos
                    signs={signs}
                    label={texts.portalsHave({ some: signs.filter(({ isOff }) => !isOff).length, all: signs.length })}
                  />
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
