import { addImportNames } from '../../db/import-names.ts';
import type { Import } from '../../db/imports.ts';
import type { DetailedReport } from '../../imports/manage.ts';
import { choicesOf, codeOf, type NameKind } from '../../imports/names.ts';
import { formatNumber } from '../format.tsx';
import { Button, Card } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import { useTexts, useVisitor } from '../visit.ts';
import { IMPORTS } from './texts.ts';

/** Names that are shown, at most: the most frequent ones. */
const SHOWN = 50;

const KINDS: readonly NameKind[] = ['types', 'features'];

/** What was typed as the meanings of names of a kind, without those that were left as they are. */
function typedNames(fields: URLSearchParams, kind: NameKind): [name: string, text: string][] {
  return [...fields]
    .filter(([field, text]) => field.startsWith(`${kind}:`) && text.trim() !== '')
    .map(([field, text]) => [field.slice(kind.length + 1), text]);
}

/** The names of the fields whose meanings are not known. */
export function nameErrors(fields: URLSearchParams): string[] {
  return KINDS.flatMap((kind) =>
    typedNames(fields, kind)
      .filter(([, text]) => codeOf(kind, text) === null)
      .map(([name]) => `${kind}:${name}`),
  );
}

export function saveNames(db: D1Database, accountId: number, fields: URLSearchParams): Promise<void> {
  const [types, features] = KINDS.map((kind) =>
    Object.fromEntries(typedNames(fields, kind).map(([name, text]) => [name, codeOf(kind, text)!])),
  );
  return addImportNames(db, accountId, { types: types!, features: features! });
}

interface Props {
  readonly names: DetailedReport['unknown_names'];
  readonly run: Import;
  readonly typed: URLSearchParams | undefined;
}

/** The names that an import did not understand, with what they mean to be filled in. */
export function UnknownNames({ names, run, typed }: Props) {
  const visitor = useVisitor();
  const { language } = visitor;
  const texts = useTexts(IMPORTS);
  const rows = KINDS.flatMap((kind) => names[kind].map(({ code, count }) => ({ kind, name: code, count })));
  if (rows.length === 0) return null;
  const isEditor = may(visitor, 'editor');
  const wrong = typed === undefined ? [] : nameErrors(typed);
  const used = KINDS.filter((kind) => names[kind].length > 0);
  return (
    <Card title={texts.unknown} flush more={formatNumber(rows.length, language)}>
      <p class="body muted">{texts.unknownLead}</p>
      <form method="post" action={`/import?id=${run.id}`}>
        <Table
          label={texts.unknown}
          columns={[[texts.inFile], [texts.listings, 'num'], ...(isEditor ? [[texts.means] as const] : [])]}
          rows={rows.slice(0, SHOWN).map(({ kind, name, count }) => [
            <>
              <b>{name}</b> <span class="tag">{texts.kinds[kind]}</span>
            </>,
            formatNumber(count, language),
            isEditor && (
              <NameField
                kind={kind}
                name={name}
                typed={typed}
                isWrong={wrong.includes(`${kind}:${name}`)}
                texts={texts}
              />
            ),
          ])}
        />
        {isEditor && (
          <p class="body actions">
            <Button kind="primary" name="do" value="names">
              {visitor.texts.save}
            </Button>
          </p>
        )}
      </form>
      {isEditor &&
        used.map((kind) => (
          <datalist id={kind}>
            {choicesOf(kind, language === 'es' ? 'es' : 'uk').map((choice) => (
              <option value={choice} />
            ))}
          </datalist>
        ))}
    </Card>
  );
}

interface FieldProps extends Pick<Props, 'typed'> {
  readonly kind: NameKind;
  readonly name: string;
  readonly isWrong: boolean;
  readonly texts: (typeof IMPORTS)['en'];
}

function NameField({ kind, name, typed, isWrong, texts }: FieldProps) {
  const field = `${kind}:${name}`;
  return (
    <>
      <input
        name={field}
        list={kind}
        value={typed?.get(field) ?? ''}
        placeholder={texts.asItIs}
        aria-label={texts.meansOf({ name })}
        aria-invalid={isWrong ? 'true' : undefined}
        autocomplete="off"
      />
      {isWrong && <span class="error">{texts.notKnown}</span>}
    </>
  );
}
