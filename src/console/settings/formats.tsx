import { FORMATS } from '../../feed/formats/formats.ts';
import { fileOf } from '../feed/form.ts';
import { usualAnswers } from '../feed/parameters.tsx';
import { Facts, Item } from '../frame/parts.tsx';
import { TableCard } from '../frame/table.tsx';
import { formatName } from '../portals/catalogue.ts';
import { SETTINGS } from '../texts/texts.ts';
import { useGuest, useTexts } from '../visit.ts';

/** The formats of feeds, each with what it contains unless a portal gets something else. */
export function Formats() {
  const { language } = useGuest();
  const texts = useTexts(SETTINGS);
  return (
    <TableCard
      title={texts.formats}
      columns={[[texts.format], [texts.address], [texts.usual]]}
      rows={FORMATS.map((format) => [
        <Item href={`/feed?format=${format.name}`} title={formatName(format, '')} />,
        <code>/{fileOf(format)}</code>,
        <details>
          <summary>{texts.showUsual}</summary>
          <Facts kind="tall" facts={usualAnswers(format, language)} />
        </details>,
      ])}
    >
      <p class="body muted">{texts.formatsWhy}</p>
    </TableCard>
  );
}
