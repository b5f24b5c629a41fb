// expect unsettled-promise readConfig
// A callback that one path forgets.
async function readConfig(name) { return await new Promise((resolve, reject) => require('node:fs').readFile(name, (error, text) => { if (!error) resolve(text); else if (error.code !== 'ENOENT') reject(error); })); }
async function main() { const config = await readConfig('/no/such/file'); console.log(config); }
main();
