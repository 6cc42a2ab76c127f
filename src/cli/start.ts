import './command/compile-cache.js';

await import('./setup/start.ts');
