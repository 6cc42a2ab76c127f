import { runBundled } from './bundle.mjs';

await runBundled('main.ts');
