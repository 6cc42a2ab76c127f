import { recordActivity } from '../../accounts/activity.ts';
import type { Actor } from '../../accounts/actor.ts';
import { readReportState, writeReportSettings } from '../../accounts/overview.ts';
import { acceptInvitation, invite } from '../../accounts/people.ts';
import { withFacts, withUnitChanges, withWords } from '../../demo/life/change.ts';
import { PEOPLE, PORTALS } from '../../demo/life/people-and-portals.ts';
import type { DemoEvent, DemoPortal } from '../../demo/life/types.ts';
import type { Env } from '../../env.ts';
import { hashPassword, sha256Hex } from '../../lib/secrets/secrets.ts';
import { type EpochSeconds, nowInSeconds } from '../../lib/time/time.ts';
import { documentKey, type PropertyDocument } from '../../properties/documents.ts';
import { type Merge, writePortfolio } from '../../properties/store/write.ts';
import { newReader } from '../../readers/api/reader.ts';
import { addToChannel, findChannelId } from '../../readers/channels.ts';
import { policyText } from '../../readers/policy.ts';
import { createReader } from '../../readers/readers.ts';
import { updateUnits } from '../../units/unit-updates.ts';
import { importAt, unitOf, unitsFile } from './imports.ts';
import { kyeroFile } from './kyero-file.ts';

/**
 * Writes an event with the functions that the console and the API write with. Written again, it
 * changes nothing.
 *
 * @param time of the event
 * @param dated dates back what is written so far
 */
export async function writeEvent(
  env: Env,
  accountId: number,
  event: DemoEvent,
  time: EpochSeconds,
  dated: () => Promise<unknown>,
): Promise<void> {
  const db = env.DB;
  const actor = actorOf(event.who);
  const did = (action: string, subject: string, person = event.who) =>
    recordActivity(db, accountId, { person, action, subject });
  const change = (id: string, changed: (property: PropertyDocument) => PropertyDocument) =>
    changeProperty(db, accountId, id, actor, changed);

  switch (event.kind) {
    case 'begin':
      return;
    case 'join':
      await did('person.invited', event.who, '');
      await join(db, accountId, event.who);
      return did('person.joined', '');
    case 'connect': {
      const portal = PORTALS.find(({ name }) => name === event.portal)!;
      await connect(db, accountId, portal);
      return did('portal.connected', portal.title);
    }
    case 'facts':
      await change(event.property, (property) => withFacts(property, event.changes, 'after'));
      return did('property.changed', event.property);
    case 'text':
      await change(event.property, (property) => withWords(property, event, 'after'));
      return did('property.changed', event.property);
    case 'unit': {
      const { development, unit: name } = event;
      const unit = await unitOf(db, accountId, development, name);
      const { status, price, directions } = withUnitChanges(unit, event, 'after');
      const update = { name, values: { status, price, directions } };
      await updateUnits(db, { accountId, development }, [update], actor);
      return;
    }
    case 'assign':
      await addToChannel(db, { accountId, name: event.channel }, event.properties, actor);
      return;
    case 'import units': {
      const file = await unitsFile(db, accountId, event.units);
      await did('import.started', event.file);
      return importAt(env, { accountId, actor }, file, time, dated);
    }
    case 'import prices': {
      const prices = Object.entries(event.prices).map(([id, [, price]]) => [id, price]);
      const file = await kyeroFile(db, accountId, Object.fromEntries(prices), event.rejected, time);
      await did('import.started', event.file);
      return importAt(env, { accountId, actor }, file, time, dated);
    }
  }
}

function actorOf(who: string): Actor {
  const isPerson = PEOPLE.some(({ name }) => name === who);
  return { kind: isPerson ? 'person' : 'client', name: who };
}

/** Invites a person, who chooses their password. The invitation has to be valid by the real clock. */
async function join(db: D1Database, accountId: number, name: string): Promise<void> {
  const person = PEOPLE.find((one) => one.name === name)!;
  const token = await invite(db, accountId, person, nowInSeconds());
  await acceptInvitation(db, sha256Hex(token!), await hashPassword(person.password));
}

/** Connects a portal, and has listings checked against its rules. Nobody has its key. */
async function connect(db: D1Database, accountId: number, portal: DemoPortal): Promise<void> {
  const { name, title, preset, kind, channel } = portal;
  const channelId =
    channel === undefined ? null : await findChannelId(db, { accountId, name: channel });
  const feed = { preset, fixed: false, channelId, policy: policyText({ kind }) };
  const created = newReader({ accountId, name, title, portal: portal.portal, ...feed });
  if ('errors' in created) throw new Error(JSON.stringify(created.errors));
  await createReader(db, created.reader);
  const { portals, muted } = await readReportState(db, accountId);
  const all = [...new Set([...portals, ...(portal.rules === undefined ? [] : [portal.rules])])];
  await writeReportSettings(db, accountId, { portals: all, muted });
}

async function changeProperty(
  db: D1Database,
  accountId: number,
  id: string,
  actor: Actor,
  changed: (property: PropertyDocument) => PropertyDocument,
): Promise<void> {
  const placeholder = { kind: 'property', id, type: '', features: [], unit: null };
  const merge: Merge = (document, stored) => {
    const property = stored.get(documentKey(document));
    return property?.kind === 'property' ? changed(property) : undefined;
  };
  await writePortfolio(db, accountId, [placeholder as unknown as PropertyDocument], {
    actor,
    merge,
  });
}
