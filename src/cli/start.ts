import './command/compile-cache.ts';

await import('./setup/start.ts');
