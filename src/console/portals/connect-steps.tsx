import type { Visitor } from '../visit.ts';
import { PORTAL_TEXTS } from './texts.ts';

/** The steps of connecting a portal. */
export function Steps({ current, visitor }: { readonly current: 1 | 2 | 3; readonly visitor: Visitor }) {
  const texts = PORTAL_TEXTS[visitor.language];
  return (
    <ol class="steps">
      {[texts.stepPortal, texts.stepContents, texts.stepHand].map((step, index) => (
        <li aria-current={index + 1 === current ? 'step' : undefined}>
          <i>{index + 1}</i> {step}
        </li>
      ))}
    </ol>
  );
}
