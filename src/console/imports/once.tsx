import { addressError, mayCallLocal } from '../../http/outbound.ts';
import { FORMATS } from '../../imports/formats/formats.ts';
import { shownUrl } from '../../imports/runs/fetch-file.ts';
import { importUrl } from '../../imports/runs/manage.ts';
import { definePage, ownAccount } from '../define-page.tsx';
import { FormCard } from '../frame/form.tsx';
import { inWords, textsOf } from '../texts/texts.ts';
import { runPath } from './list.tsx';
import { ONCE_FIELDS, ONCE_VALUES, optionsIn } from './options.ts';

/** The form that imports the file at an address once: by default, it is only said first what would change. */
export const importOnce = definePage({
  find: ownAccount,
  show: (visitor, _account, form) => {
    const texts = textsOf(visitor, 'imports');
    const named = FORMATS.map(
      ({ name, title }) => [name, inWords(visitor.language, title)] as const,
    );
    const options = [['', texts.anyFormat] as const, ...named];
    return {
      title: texts.once,
      lead: texts.onceLead,
      content: (
        <FormCard
          form={form}
          title={texts.onceFile}
          cancel="/imports"
          submit={texts.fetch}
          fields={{
            url: { required: true, inputmode: 'url', autocomplete: 'off', spellcheck: false },
            format: { options },
            ...ONCE_FIELDS,
          }}
          texts={{ ...texts, urlHint: texts.onceUrlHint }}
          values={ONCE_VALUES}
        />
      ),
    };
  },
  actions: {
    save: async (visitor, account, fields) => {
      const { c } = visitor;
      const texts = textsOf(visitor, 'imports');
      const url = (fields.get('url') ?? '').trim();
      if (addressError(url, mayCallLocal(c.env)) !== null)
        return { errors: { url: texts.urlInvalid } };
      const id = await importUrl(c.env, account.id, optionsIn(visitor, fields, shownUrl(url)), url);
      if (id === null) return { why: texts.tooMany, status: 409 };
      return { did: 'import.started', with: shownUrl(url), next: runPath({ id }) };
    },
  },
});
