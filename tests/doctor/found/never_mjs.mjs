// expect unsettled-promise connect|*
async function connect() { await new Promise(() => {}); }
await connect();
