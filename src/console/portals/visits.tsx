import { isoTime } from '../../lib/time/time.ts';
import type { Reader } from '../../readers/readers.ts';
import {
  COUNTED_DAYS,
  listVisits,
  type RecordedVisit,
  type Visit,
  visitCursor,
} from '../../readers/visits.ts';
import { definePage } from '../define-page.tsx';
import { formatMoment, formatNumber, formatSize, formatTime } from '../format.ts';
import { ButtonLink, Card, Chip, Table, type Tone } from '../frame/parts.tsx';
import { portalPath, withQuery } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import { useTexts, useVisitor } from '../visit.ts';
import { findPortalReader, titleOf } from './change.tsx';

const PER_PAGE = 50;

const TONES: Readonly<Record<Visit['answer'], Tone>> = {
  full: 'good',
  not_modified: 'none',
  refused: 'bad',
  failed: 'bad',
  interrupted: 'warn',
  no_feed: 'none',
};

/** What a portal was answered, visit by visit. */
export const visits = definePage<Reader>({
  find: findPortalReader,
  show: async (visitor, reader) => {
    const { c, db, account, now } = visitor;
    const texts = textsOf(visitor, 'visits');
    const { name } = reader;
    const { after } = c.req.query();
    const found = await listVisits(db, { accountId: account.id, name }, now, PER_PAGE + 1, after);
    const shown = found.slice(0, PER_PAGE);
    const path = withQuery('/portal/visits', { name });
    const hasMore = found.length > PER_PAGE;
    return {
      title: texts.title({ title: titleOf(reader), count: COUNTED_DAYS }),
      lead: texts.lead,
      crumbs: [{ name: titleOf(reader), href: portalPath(name) }],
      content: (
        <Card
          title={texts.visits}
          flush
          empty={shown.length === 0 && { icon: 'clock', text: texts.none }}
        >
          <VisitTable visits={shown} />
          {(after !== undefined || hasMore) && (
            <div class="body actions">
              {after !== undefined && <ButtonLink href={path} text={texts.newest} />}
              {hasMore && (
                <ButtonLink
                  href={withQuery('/portal/visits', { name, after: visitCursor(shown.at(-1)!) })}
                  text={texts.earlier}
                />
              )}
            </div>
          )}
        </Card>
      ),
    };
  },
});

/** When a portal came, and what it was answered. */
export function VisitTable({ visits: shown }: { readonly visits: readonly RecordedVisit[] }) {
  const visitor = useVisitor();
  const { language } = visitor;
  const texts = useTexts('visits');
  return (
    <Table
      label={texts.visits}
      columns={[
        texts.when,
        texts.answer,
        { numbers: texts.listings },
        { numbers: texts.size },
        texts.program,
      ]}
      rows={shown.map(({ at, until, count, answer, status, records, bytes, program }) => [
        <>
          <time datetime={isoTime(until)} title={formatTime(until, visitor)}>
            {formatMoment(until, visitor)}
          </time>
          {count > 1 && (
            <div class="small muted">
              {texts.times({ count, since: formatMoment(at, visitor) })}
            </div>
          )}
        </>,
        <Chip tone={TONES[answer]}>
          {answer === 'refused' ? texts.answers.refused({ status }) : texts.answers[answer]}
        </Chip>,
        records !== null && formatNumber(records, language),
        bytes > 0 && formatSize(bytes, language),
        <span class="small muted">{program || texts.noProgram}</span>,
      ])}
    />
  );
}
