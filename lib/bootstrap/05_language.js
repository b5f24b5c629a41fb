// natives: runtime
// Parts of the language that this build of the engine lacks, for the program's realm. (vm contexts get it from node:vm.)
'use strict';

require('internal/language/every_realm').addLanguage();
// Symbol.dispose and its like are the program's from here on; lib/ has them, too.
native('runtime').copyOwn(program.Symbol, Symbol);
