import type { ImportNames } from '../../db/schema.ts';
import type { StoredReport } from '../../imports/runs/manage.ts';
import { choicesOf, codeOf, type NameKind } from '../../imports/runs/names.ts';
import { formatNumber, sortedNames } from '../format.ts';
import { CellInput } from '../frame/form.tsx';
import { Button, Card, Table } from '../frame/parts.tsx';
import { feedLanguage } from '../properties/property.ts';
import { type FormState, useTexts, useVisitor } from '../visit.ts';

/** Maximum number of names shown: the most frequent ones. */
const NAMES_SHOWN = 50;

export const KINDS: readonly NameKind[] = ['types', 'features'];

/** The names of a kind that a form gives codes to: `null` to leave a name unchanged, `undefined` for an unknown code. */
export function typedNames(fields: URLSearchParams, kind: NameKind) {
  const typed = [...fields].filter(([field]) => field.startsWith(`${kind}:`));
  return typed.map(([field, text]) => {
    const code = text.trim() === '' ? null : (codeOf(kind, text.trim()) ?? undefined);
    return { field, name: field.slice(kind.length + 1), code };
  });
}

interface NamesProps {
  /** What the account has mapped its names to. */
  readonly known: ImportNames;
  readonly form: FormState;
  readonly names: StoredReport['unknown_names'];
}

/** The names that an import did not understand, with what they mean to be filled in. */
export function UnknownNames({ names, known, form: { typed, errors } }: NamesProps) {
  const { isEditor, language, common } = useVisitor();
  const texts = useTexts('imports');
  const rows = KINDS.flatMap((kind) =>
    names[kind].map(({ name, count }) => ({ kind, name, count })),
  );
  if (rows.length === 0) return null;
  const used = KINDS.filter((kind) => names[kind].length > 0);
  const choices = new Map(
    used.map((kind) => [kind, choicesOf(kind, feedLanguage(language).element)]),
  );
  const meaningOf = (kind: NameKind, name: string) =>
    typed?.get(`${kind}:${name}`) ?? choices.get(kind)?.get(known[kind]?.[name] ?? '') ?? '';
  return (
    <Card title={texts.unknown} flush more={formatNumber(rows.length, language)}>
      <p class="body muted">{texts.unknownLead}</p>
      <form method="post">
        <Table
          label={texts.unknown}
          columns={[texts.inFile, { numbers: texts.listings }, ...(isEditor ? [texts.means] : [])]}
          rows={rows.slice(0, NAMES_SHOWN).map(({ kind, name, count }) => [
            <>
              <b>{name}</b> <span class="tag">{texts.kinds[kind]}</span>
            </>,
            formatNumber(count, language),
            ...(isEditor
              ? [
                  <CellInput
                    name={`${kind}:${name}`}
                    list={kind}
                    value={meaningOf(kind, name)}
                    autocomplete="off"
                    placeholder={texts.asItIs}
                    label={texts.meansOf({ name })}
                    error={errors[`${kind}:${name}`]}
                  />,
                ]
              : []),
          ])}
        />
        {isEditor && (
          <p class="body actions">
            <Button kind="primary" name="do" value="names" text={common.save} />
          </p>
        )}
      </form>
      {isEditor &&
        [...choices].map(([kind, all]) => (
          <datalist id={kind}>
            {sortedNames(new Set(all.values()), language).map((choice) => (
              <option value={choice} />
            ))}
          </datalist>
        ))}
    </Card>
  );
}
