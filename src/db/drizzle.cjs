// How Node loads drizzle-orm, for `#drizzle` in package.json: Node 24 and 26 parse a package.json again for each ES module of the
// package (https://github.com/nodejs/node/issues/58126). This one has 179 KB, and that took longer than all else that a command loads.
module.exports = { ...require('drizzle-orm'), ...require('drizzle-orm/d1'), ...require('drizzle-orm/sqlite-core') };
