// expect unsettled-promise fetchUser
async function fetchUser() { const data = await new Promise((resolve) => {}); return data; }
fetchUser().then(console.log);
