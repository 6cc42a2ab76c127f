import type { Context } from 'hono';
import { listDevelopments } from '../../db/units/developments.ts';
import type { AppEnv } from '../../env.ts';
import { ButtonLink, Card, Item } from '../frame/parts.tsx';
import { Table } from '../frame/table.tsx';
import { query, unitsPath } from '../paths.ts';
import { UNITS } from '../texts/texts.ts';
import type { Page, Visitor } from '../visit.ts';

const DEVELOPMENTS_PER_PAGE = 100;

/** The account's developments. */
export async function showDevelopments(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { language, texts: common, account } = visitor;
  const texts = UNITS[language];
  const list = listDevelopments(c.env.DB, account.id, c.req.query('after') ?? null, DEVELOPMENTS_PER_PAGE + 1);
  const found = await list;
  const shown = found.slice(0, DEVELOPMENTS_PER_PAGE);
  return {
    title: shown.length === 0 ? texts.none : texts.developmentsTitle({ count: found.length }),
    lead: texts.developmentsLead,
    content: (
      <Card
        title={common.developments}
        flush
        empty={
          shown.length === 0 && {
            icon: 'developments',
            text: texts.none,
            why: texts.noneWhy,
            action: <ButtonLink href="/docs">{common.apiReference}</ButtonLink>,
          }
        }
      >
        <Table
          label={common.developments}
          columns={[[texts.development], [texts.units, 'num']]}
          rows={shown.map(({ id, name, units }) => [
            <Item href={unitsPath(id)} title={name} note={id} />,
            texts.unitsOf({ count: units }),
          ])}
        />
        {found.length > shown.length && (
          <nav class="pager" aria-label={common.developments}>
            <a class="button" href={`/developments?${query({ after: shown.at(-1)!.id })}`} rel="next">
              {common.next}
            </a>
          </nav>
        )}
      </Card>
    ),
  };
}
