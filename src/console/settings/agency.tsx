import { updateAccount } from '../../accounts/accounts.ts';
import { invalidateReaders } from '../../feed/access/callers.ts';
import { isTimeZone, timeZones } from '../../lib/time/zones.ts';
import { definePage, ownAccount } from '../define-page.tsx';
import { SAVED } from '../flash.tsx';
import { FormCard } from '../frame/form.tsx';
import { Notice } from '../frame/parts.tsx';
import type { Handle } from '../pages.tsx';
import { textsOf } from '../texts/texts.ts';
import {
  CURRENT,
  confirmed,
  NEW,
  PASSWORD_SAVED,
  passwordLabels,
  storedPassword,
} from './password.ts';

const PATH = '/settings/agency';

/** The agency: its time zone and its password. With another password, all sessions by the old one end, except this one. */
export const agency = definePage({
  find: ownAccount,
  show: (visitor, account, form) => {
    const texts = textsOf(visitor, 'settings');
    const labels = passwordLabels(texts);
    const zones = timeZones().map((zone) => [zone, zone] as const);
    return {
      title: account.name,
      lead: texts.agencyLead({ code: account.code }),
      content: (
        <>
          <FormCard
            form={form}
            title={texts.timeZoneTitle}
            does="zone"
            submit={visitor.common.save}
            fields={{ timeZone: { options: zones } }}
            texts={texts}
            values={{ timeZone: account.timeZone }}
          />
          <FormCard
            form={form}
            title={texts.agencyPassword}
            does="password"
            submit={texts.change}
            fields={{ current: CURRENT, password: NEW }}
            texts={visitor.person === null ? labels : { ...labels, current: texts.ownPassword }}
          >
            <p>{texts.agencyUse}</p>
            <Notice kind="warn">{texts.agencyChange}</Notice>
          </FormCard>
        </>
      ),
    };
  },
  actions: {
    zone: async ({ db, language }, { id, timeZone: before }, fields) => {
      const timeZone = fields.get('timeZone') ?? '';
      const texts = textsOf({ language }, 'settings');
      if (!isTimeZone(timeZone)) return { errors: { timeZone: texts.timeZoneInvalid } };
      await updateAccount(db, id, { timeZone });
      const details = [['time_zone', before, timeZone] as const];
      return { did: 'account.time_zone', next: PATH, flash: SAVED, details };
    },
    password: confirmed(async (visitor, { id }, fields) => {
      const password = await storedPassword(fields);
      if (password === null)
        return { errors: { password: textsOf(visitor, 'settings').passwordShort } };
      await updateAccount(visitor.db, id, { password }).finally(() => invalidateReaders(id));
      return { did: 'account.password', next: PATH, flash: PASSWORD_SAVED };
    }),
  },
});

/** Where the agency's password had a page of its own. */
export const toAgency: Handle = async ({ c }) => c.redirect(PATH, 301);
