// expect gc-pressure render
function render(rows) { let html = ''; for (const r of rows) html += '<tr>' + r.map((c) => `<td>${c}</td>`).join('') + '</tr>'; return html.split('<').map((x) => x + '!').length; }
const rows = Array.from({ length: 400 }, (_, i) => [i, 'name' + i, i * 2]); const end = Date.now() + 60_000;
(function go() { for (let i = 0; i < 5; i++) render(rows); if (Date.now() < end) setImmediate(go); })();
