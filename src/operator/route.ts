import './routes/accounts.ts';
import './routes/clients.ts';
import './routes/databases.ts';
import './routes/operations.ts';
import './routes/stored.ts';

export { operator } from './routes/api.ts';
