import type { FeedFormat } from '../../feed/formats/format.ts';
import type { ParameterError } from '../../feed/formats/parameters.ts';
import { READER_KINDS, type ReaderKind } from '../../portfolio/restrictions.ts';
import { givenParameters, ParameterFields } from '../feed/parameters.tsx';
import { Fields } from '../frame/fields.tsx';
import { Choice, Submit } from '../frame/form.tsx';
import { Card } from '../frame/parts.tsx';
import { PORTAL_TEXTS } from '../texts/texts.ts';
import { useGuest, useTexts } from '../visit.ts';
import { formatName } from './catalogue.ts';

const MAX_TITLE_LENGTH = 100;

/** What a portal gets, as a form has it: feed parameters, what it is, and what else the form asks. */
export interface Contents {
  readonly given: Readonly<Record<string, string>>;
  readonly kind: ReaderKind | null;
  readonly title?: string;
  readonly fixed?: boolean;
}

/** What was sent, and what the format misses in it. */
export function readContents(fields: URLSearchParams, format: FeedFormat) {
  const given = givenParameters(format, (name) => fields.getAll(name));
  const kind = READER_KINDS.find((one) => one === fields.get('kind')) ?? null;
  return { given, kind, missing: format.missing?.(format.parse(given).parameters) ?? [] };
}

/** The title that was sent. */
export function titleIn(fields: URLSearchParams): string {
  return (fields.get('title') ?? '').trim().slice(0, MAX_TITLE_LENGTH);
}

interface FormProps {
  readonly card: string;
  readonly path: string;
  readonly cancel: string;
  readonly button: string;
  readonly format: FeedFormat;
  /** Parameters that name the format. */
  readonly preset: string;
  readonly contents: Contents;
  /** What is wrong with parameters or the title. */
  readonly errors: readonly ParameterError[] | undefined;
}

/** The form of what a portal gets. */
export function ContentsForm({ card, path, cancel, button, format, preset, contents, errors = [] }: FormProps) {
  const { calledLabel, calledHint, kindLabel, kindHint, kinds, anyKind, fixedLabel } = useTexts(PORTAL_TEXTS);
  const { given, kind, title, fixed } = contents;
  const called = { required: true, maxlength: MAX_TITLE_LENGTH, autocomplete: 'off' } as const;
  const options = [['', anyKind], ...READER_KINDS.map((one) => [one, kinds[one]] as const)] as const;
  return (
    <form method="post" action={path} class="stack" data-keep>
      <Card title={card} more={formatName(format, preset, useGuest().language)}>
        <Fields
          fields={{ title: title === undefined ? undefined : called, kind: { options } }}
          texts={{ title: calledLabel, titleHint: calledHint, kind: kindLabel, kindHint }}
          values={{ title, kind: kind ?? '' }}
          errors={{ title: errors.find(({ parameter }) => parameter === 'title')?.reason }}
        />
        <ParameterFields format={format} given={given} preset={{}} errors={errors} />
        {fixed !== undefined && (
          <Choice name="fixed" checked={fixed}>
            {fixedLabel}
          </Choice>
        )}
      </Card>
      <Submit cancel={cancel}>{button}</Submit>
    </form>
  );
}
