import { readFormatSettings, writeFormatSettings } from '../../db/accounts/formats.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { parsePreset } from '../../feed/request/preset.ts';
import {
  fileOf,
  givenParameters,
  ParameterFields,
  parametersText,
  presetValues,
  usualAnswers,
} from '../feed/parameters.tsx';
import { FormCard } from '../frame/fields.tsx';
import { ButtonLink, Facts, Item } from '../frame/parts.tsx';
import { TableCard } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { query } from '../paths.ts';
import { formatName } from '../portals/catalogue.ts';
import { pageOf } from '../subject.tsx';
import { SETTINGS } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';

/** The formats of feeds, each with what it contains unless a portal gets something else. */
export function Formats() {
  const visitor = useVisitor();
  const texts = useTexts(SETTINGS);
  return (
    <TableCard
      title={texts.formats}
      columns={[[texts.format], [texts.address], [texts.usual]]}
      rows={FORMATS.map((format) => [
        <Item href={`/feed?format=${format.name}`} title={formatName(format, '', visitor.language)} />,
        <code>/{fileOf(format)}</code>,
        <div class="stack close">
          <details>
            <summary>{texts.showUsual}</summary>
            <Facts kind="tall" facts={usualAnswers(format, visitor.language)} />
          </details>
          {format.accountParameters && may(visitor, 'editor') && (
            <ButtonLink href={pathOf(format)}>{texts.stateForAll}</ButtonLink>
          )}
        </div>,
      ])}
    >
      <p class="body muted">{texts.formatsWhy}</p>
    </TableCard>
  );
}

function pathOf({ name }: FeedFormat): string {
  return `/settings/format?${query({ name })}`;
}

/** What the account states once for all portals of a format, such as the code that Idealista has given it. */
export const formatSettings = pageOf<FeedFormat>({
  find: async (c) => FORMATS.find((one) => one.name === c.req.query('name') && one.accountParameters) ?? null,
  show: async ({ c, visitor, subject }) => {
    const { [subject.name]: stated = '' } = await readFormatSettings(c.env.DB, visitor.account.id);
    return statedPage(visitor, subject, presetValues(stated));
  },
  actions: {
    save: async ({ c, visitor, subject, fields }) => {
      const stateable = subject.accountParameters ?? [];
      const given = givenParameters(subject, (name) => (stateable.includes(name) ? fields.getAll(name) : []));
      const parsed = parsePreset(parametersText(given));
      if ('errors' in parsed) return statedPage(visitor, subject, given, parsed.errors);
      await writeFormatSettings(c.env.DB, visitor.account.id, subject.name, parsed.preset);
      return { did: 'format.stated', with: formatName(subject, '', visitor.language), next: '/settings' };
    },
  },
});

function statedPage(
  { language, texts: common }: Visitor,
  format: FeedFormat,
  given: Readonly<Record<string, string>>,
  errors?: readonly ParameterError[],
): Page {
  const texts = SETTINGS[language];
  const { accountParameters = [], feedParameters } = format;
  const without = feedParameters.map(({ name }) => name).filter((name) => !accountParameters.includes(name));
  return {
    title: texts.stateTitle({ format: formatName(format, '', language) }),
    lead: texts.stateLead,
    status: errors === undefined ? 200 : 422,
    content: (
      <FormCard title={texts.stateForAll} action={pathOf(format)} cancel="/settings" submit={common.save}>
        <ParameterFields format={format} given={given} preset={{}} errors={errors ?? []} without={without} />
      </FormCard>
    ),
  };
}
