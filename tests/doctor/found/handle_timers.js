// expect handle-leak subscribe
function subscribe(user) { setInterval(() => user.seen++, 60000); }
setInterval(() => { for (let i = 0; i < 5; i++) subscribe({ seen: 0 }); }, 20); setTimeout(() => process.exit(0), 60_000);
