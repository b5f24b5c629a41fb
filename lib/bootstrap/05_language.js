// natives: none
// What the language has and this build of the engine lacks, for the program's realm. (vm contexts get it from node:vm.)
'use strict';

require('internal/language/every_realm').addLanguage();
