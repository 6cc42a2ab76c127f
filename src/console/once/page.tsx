import { definePage } from '../define-page.tsx';
import { notFoundPage } from '../pages.tsx';
import { portalPath, withQuery } from '../paths.ts';
import { handOverPage } from '../portals/change.tsx';
import { programSecretPage } from '../settings/clients.tsx';
import { invitationPage } from '../settings/invitation.tsx';
import { recoveryPage } from '../settings/sign-in.tsx';
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
      return { next: pathAfter(secret) };
    },
  },
});

/** The page of what the secret is of. */
function pathAfter(secret: Secret): string {
  switch (secret.kind) {
    case 'client':
      return withQuery('/settings/client', { id: secret.id });
    case 'webhook':
      return withQuery('/settings/webhook', { name: secret.id });
    case 'invitation':
      return '/settings';
    case 'recovery':
      return '/settings/sign-in';
    case 'portal':
      return portalPath(secret.name);
  }
}

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
