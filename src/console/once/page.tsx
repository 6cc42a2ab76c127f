import { definePage } from '../define-page.tsx';
import { notFoundPage } from '../pages.tsx';
import { portalPath } from '../paths.ts';
import { handOverPage } from '../portals/change.tsx';
import { invitationPage, recoveryPage } from '../settings/people.tsx';
import { programSecretPage } from '../settings/programs.tsx';
import type { Page, Visitor } from '../visit.ts';
import { findShown, forgetShown, type Secret } from './once.ts';

/** A secret that was just made: it can be looked at, and loaded again, until that is ended or ten minutes are over. */
export const shownOnce = definePage<Secret | undefined>({
  find: async (visitor) => (await findShown(visitor)) ?? undefined,
  show: (visitor, secret) =>
    secret === undefined
      ? notFoundPage(visitor, visitor.common.shownOnceGone)
      : secretPage(visitor, secret),
  actions: {
    done: async (visitor, secret) => {
      forgetShown(visitor);
      return { next: secret.kind === 'portal' ? portalPath(secret.name) : '/settings' };
    },
  },
});

function secretPage(visitor: Visitor, secret: Secret): Page {
  switch (secret.kind) {
    case 'client':
    case 'webhook':
      return programSecretPage(visitor, secret);
    case 'invitation':
      return invitationPage(visitor, secret);
    case 'recovery':
      return recoveryPage(visitor, secret);
    case 'portal':
      return handOverPage(visitor, secret);
  }
}
