import type { Import } from '../../db/imports/imports.ts';
import { ButtonLink, type Todo } from '../frame/parts.tsx';
import { textOf } from '../texts/catalogue.ts';
import { IMPORTS } from '../texts/texts.ts';
import type { Guest } from '../visit.ts';
import { runPath } from './list.tsx';

/** What somebody has to see to in the last imports: the latest of each source, if it is held or has failed. */
export function aboutImports({ language }: Guest, imports: readonly Import[]): Todo[] {
  const texts = IMPORTS[language];
  const latest = [...Map.groupBy(imports, ({ source }) => source).values()].map(([first]) => first!);
  return latest
    .filter(({ state }) => state === 'held' || state === 'failed')
    .map(({ id, state, source, code }) => ({
      icon: 'imports',
      tone: state === 'held' ? 'warn' : 'bad',
      text: texts.attention[state as 'held' | 'failed']({ from: source ?? texts.sentFile }),
      why: textOf(texts.failures, code ?? '', ''),
      action: <ButtonLink href={runPath({ id })}>{texts.seeImport}</ButtonLink>,
    }));
}
