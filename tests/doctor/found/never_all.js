// expect unsettled-promise loadAll
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function loadAll() { await Promise.all([sleep(20), new Promise(() => {})]); }
loadAll();
