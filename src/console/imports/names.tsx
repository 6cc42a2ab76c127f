import type { DetailedReport } from '../../api/imports/manage.ts';
import { choicesOf, codeOf, type NameKind } from '../../api/imports/names.ts';
import type { Import } from '../../db/imports/imports.ts';
import { changeImportNames } from '../../db/imports/sources.ts';
import type { ImportNames } from '../../db/schema.ts';
import { formatNumber } from '../format.tsx';
import { Button, Card } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { may } from '../guards.tsx';
import type { Visit } from '../subject.tsx';
import { IMPORTS } from '../texts/texts.ts';
import { useVisit } from '../visit.ts';
import { runPath } from './list.tsx';

/** Names that are shown, at most: the most frequent ones. */
const SHOWN = 50;

const KINDS: readonly NameKind[] = ['types', 'features'];

/** What was typed as the meanings of names of a kind; empty for those that are left as they are. */
function typedNames(fields: URLSearchParams, kind: NameKind): [name: string, text: string][] {
  return [...fields]
    .filter(([field]) => field.startsWith(`${kind}:`))
    .map(([field, text]) => [field.slice(kind.length + 1), text.trim()]);
}

/** What is wrong with the fields whose meanings are not known, by their names. */
export function nameErrors(fields: URLSearchParams, why: string): Record<string, string> {
  const unknown = KINDS.flatMap((kind) =>
    typedNames(fields, kind).flatMap(([name, text]) =>
      text !== '' && codeOf(kind, text) === null ? [`${kind}:${name}`] : [],
    ),
  );
  return Object.fromEntries(unknown.map((name) => [name, why]));
}

export function saveNames(db: D1Database, accountId: number, fields: URLSearchParams): Promise<void> {
  const [types, features] = KINDS.map((kind) =>
    Object.fromEntries(typedNames(fields, kind).map(([name, text]) => [name, text === '' ? null : codeOf(kind, text)])),
  );
  return changeImportNames(db, accountId, { types: types!, features: features! });
}

export interface NamesProps extends Pick<Visit<Import>, 'typed' | 'errors'> {
  readonly run: Import;
  /** What the account has said that names mean. */
  readonly known: ImportNames;
}

/** The names that an import did not understand, with what they mean to be filled in. */
export function UnknownNames({
  names,
  known,
  run,
  typed,
  errors = {},
}: NamesProps & { readonly names: DetailedReport['unknown_names'] }) {
  const { visitor, language, texts, common } = useVisit(IMPORTS);
  const rows = KINDS.flatMap((kind) => names[kind].map(({ code, count }) => ({ kind, name: code, count })));
  if (rows.length === 0) return null;
  const isEditor = may(visitor, 'editor');
  const used = KINDS.filter((kind) => names[kind].length > 0);
  const choices = new Map(used.map((kind) => [kind, choicesOf(kind, language === 'es' ? 'es' : 'uk')]));
  const meaningOf = (kind: NameKind, name: string) =>
    typed?.get(`${kind}:${name}`) ?? choices.get(kind)?.get(known[kind]?.[name] ?? '') ?? '';
  return (
    <Card title={texts.unknown} flush more={formatNumber(rows.length, language)}>
      <p class="body muted">{texts.unknownLead}</p>
      <form method="post" action={runPath(run)}>
        <Table
          label={texts.unknown}
          columns={[[texts.inFile], [texts.listings, 'num'], ...(isEditor ? [[texts.means] as const] : [])]}
          rows={rows.slice(0, SHOWN).map(({ kind, name, count }) => [
            <>
              <b>{name}</b> <span class="tag">{texts.kinds[kind]}</span>
            </>,
            formatNumber(count, language),
            isEditor && (
              <>
                <input
                  name={`${kind}:${name}`}
                  list={kind}
                  value={meaningOf(kind, name)}
                  placeholder={texts.asItIs}
                  aria-label={texts.meansOf({ name })}
                  aria-invalid={errors[`${kind}:${name}`] && 'true'}
                  autocomplete="off"
                />
                {errors[`${kind}:${name}`] && <span class="error">{errors[`${kind}:${name}`]}</span>}
              </>
            ),
          ])}
        />
        {isEditor && (
          <p class="body actions">
            <Button kind="primary" name="do" value="names">
              {common.save}
            </Button>
          </p>
        )}
      </form>
      {isEditor &&
        [...choices].map(([kind, all]) => (
          <datalist id={kind}>
            {[...new Set(all.values())].sort().map((choice) => (
              <option value={choice} />
            ))}
          </datalist>
        ))}
    </Card>
  );
}
