import { group } from '../command.ts';
import { createAccountCommand } from './account-create.ts';
import { disableAccount, enableAccount } from './account-disable.ts';
import { listAccountsCommand } from './account-list.ts';
import { passwordCommand } from './account-password.ts';

export const account = group('account', 'Manage accounts: one for each agency', [
  createAccountCommand,
  passwordCommand,
  listAccountsCommand,
  disableAccount,
  enableAccount,
]);
