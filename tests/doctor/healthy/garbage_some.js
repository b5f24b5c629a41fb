// Some garbage, as a server makes.
const end = Date.now() + 4000; const t = setInterval(() => { const rows = []; for (let i = 0; i < 300; i++) rows.push({ i, text: `${i}` }); if (Date.now() > end) clearInterval(t); return rows; }, 5);
