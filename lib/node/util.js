// natives: none
module.exports = { ...require('internal/util/inspect') };
