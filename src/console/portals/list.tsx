import type { Context } from 'hono';
import type { AppEnv } from '../../env.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import { ButtonLink, Card, Empty } from '../frame/parts.tsx';
import { may } from '../guards.tsx';
import type { Page, Visitor } from '../visit.ts';
import { loadPortals } from './portal.ts';
import { PortalTable } from './table.tsx';
import { PORTAL_TEXTS } from './texts.ts';

/** The portals of an account with their visits. */
export async function showPortals(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const texts = PORTAL_TEXTS[visitor.language];
  const portals = await orUnavailable('portals', loadPortals(c.env.DB, visitor.account.id, visitor.now));
  const connect = may(visitor, 'editor') && (
    <ButtonLink href="/portals/connect" icon="plus" kind="primary">
      {texts.connect}
    </ButtonLink>
  );
  return {
    title: portals.length === 0 ? texts.none : texts.title({ count: portals.length }),
    lead: texts.lead,
    actions: (
      <>
        <ButtonLink href="/feed" icon="eye">
          {texts.preview}
        </ButtonLink>
        {portals.length > 0 && connect}
      </>
    ),
    content: (
      <Card title={visitor.texts.portals} flush>
        {portals.length === 0 ? (
          <Empty icon="portals" title={texts.none} action={connect}>
            {texts.lead}
          </Empty>
        ) : (
          <PortalTable portals={portals} visitor={visitor} />
        )}
      </Card>
    ),
  };
}
