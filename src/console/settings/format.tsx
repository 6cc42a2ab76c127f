import { readSetting, writeFormatSettings } from '../../accounts/accounts.ts';
import type { FeedFormat } from '../../feed/formats/format.ts';
import { FORMATS } from '../../feed/formats/formats.ts';
import { parsePreset } from '../../feed/request/preset.ts';
import { definePage } from '../define-page.tsx';
import {
  errorsByName,
  givenParameters,
  ParameterFields,
  parametersText,
  presetValues,
} from '../feed/parameters.tsx';
import { SAVED } from '../flash.tsx';
import { Submit } from '../frame/form.tsx';
import { ButtonLink, Card } from '../frame/parts.tsx';
import { withQuery } from '../paths.ts';
import { formatName } from '../portals/catalogue.ts';
import { textsOf } from '../texts/texts.ts';

/** The formats for which an account can state something for all portals. */
const STATABLE = FORMATS.filter(({ accountParameters }) => accountParameters);

/** The parameters of a format that an account may state for all portals. */
function parametersOf({ feedParameters, accountParameters = [] }: FeedFormat) {
  return feedParameters.filter(({ name }) => accountParameters.includes(name));
}

/** What the account states once for all portals of a format, such as the code that Idealista has given it. */
export const formatSettings = definePage({
  find: async ({ c, db, account }) => {
    const { name = STATABLE[0]?.name } = c.req.query();
    const format = STATABLE.find((one) => one.name === name);
    if (format === undefined) return null;
    const { [format.name]: stated = '' } = await readSetting(db, account.id, 'formatSettings');
    return { ...format, stated };
  },
  settings: ({ stated }) => presetValues(stated),
  show: (visitor, subject, form) => {
    const { language, common } = visitor;
    const texts = textsOf(visitor, 'settings');
    const given = presetValues(subject.stated);
    return {
      title: texts.stateTitle({ format: formatName(subject, '', language) }),
      lead: texts.stateLead,
      actions: STATABLE.filter(({ name }) => name !== subject.name).map((other) => (
        <ButtonLink
          href={withQuery('/settings/format', { name: other.name })}
          text={formatName(other, '', language)}
        />
      )),
      content: (
        <form method="post" class="stack" data-keep>
          <Card title={texts.sections.formats}>
            <ParameterFields
              form={form}
              parameters={parametersOf(subject)}
              given={given}
              preset={{}}
            />
          </Card>
          <Submit version={form.version} text={common.save} />
        </form>
      ),
    };
  },
  actions: {
    save: async (visitor, subject, fields) => {
      const parsed = parsePreset(parametersText(givenParameters(parametersOf(subject), fields)));
      if ('errors' in parsed) return { errors: errorsByName(parsed.errors, visitor.language) };
      await writeFormatSettings(visitor.db, visitor.account.id, subject.name, parsed.preset);
      return {
        did: 'format.stated',
        with: formatName(subject, '', visitor.language),
        next: withQuery('/settings/format', { name: subject.name }),
        flash: SAVED,
      };
    },
  },
});
