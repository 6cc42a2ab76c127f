// What `#drizzle` means to Node: drizzle-orm's CommonJS files. For each of its ES modules, Node 24 and 26 parse the package.json of
// 179 KB again (https://github.com/nodejs/node/issues/58126), which took most of the time that a command needs to start.
module.exports = { ...require('drizzle-orm'), ...require('drizzle-orm/d1'), ...require('drizzle-orm/sqlite-core') };
