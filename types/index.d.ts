// Types of everything that Rondo has and Node has not, for programs: `"types": ["node", "rondo"]` in tsconfig.json. Pages take page.d.ts.
/// <reference path="./serve.d.ts" />
/// <reference path="./explore.d.ts" />
/// <reference path="./mesh.d.ts" />
/// <reference path="./doctor.d.ts" />
